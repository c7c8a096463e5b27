import { FORGED, PREFLIGHT_FIELDS, type Purpose, type Question, STRANGER_ORIGIN } from '../read/live-fact.ts'
import { STAND_IN } from '../read/stand-in.ts'

export interface QuestionOptions {
  /** Unique to a point and a run; visible ASCII without `-`. */
  readonly runId: string
  /** Origins of pages that use the point across origins. */
  readonly pageOrigins: readonly string[]
  /** How each cookie begins: a name that the front end forwards, and an equals sign. */
  readonly cookieStart: string
  /** Paths outside of every point. */
  readonly outside: readonly string[]
  /** Whether browsers ask the point over HTTP/2. */
  readonly offersH2: boolean
}

/** The questions to a point. */
export type Questions = ReturnType<typeof planQuestions>

export function planQuestions(options: QuestionOptions) {
  const { runId, cookieStart } = options
  const forged = makeQuestion('forged', `${runId}-forged`, {
    fields: ['X-Widget-Key', FORGED.widgetKey, 'X-Continuation-Origin', FORGED.origin],
  })
  const [once, other] = [`${runId}-nonce1`, `${runId}-nonce2`]
  const methods = methodQuestions(options)
  const cookies = cookieQuestions(options)
  const origins = corsQuestions(options)
  const headerSizes = LINE_BYTES.map((bytes) => {
    const fields = ['Cookie', makeLargeCookies(cookieStart, bytes)]
    return makeQuestion('header-size', `${runId}-size${bytes}`, { fields })
  })
  // A type that no body parser of an app reads.
  const binary = ['Content-Type', 'application/octet-stream']
  const bodySizes = BODY_BYTES.map((bytes) => {
    const details = { method: 'POST', fields: binary, body: FILLER.slice(0, bytes) }
    return makeQuestion('body-size', `${runId}-body${bytes}`, details)
  })
  const responseSizes = LINE_BYTES.map((bytes) => {
    const details = { path: '_stand-in/set-cookie', query: `&octets=${bytes}` }
    return makeQuestion('response-size', `${runId}-response${bytes}`, details)
  })
  const files = FILES.map((name, at) => makeQuestion('file', `${runId}-file${at}`, { path: `check/${name}` }))
  const nonce = makeQuestion('nonce', `${runId}-nonce`)
  const kept = KEPT.map((rest) => ({ ...nonce, rest, fields: ['Accept', 'text/html, */*;q=0.8'] }))
  return {
    /** The first one: the verification page, as JSON if the service can. */
    verification: makeQuestion('verification', `${runId}-verification`),
    /** With the fields that the front end sets, as a client may send them. */
    forged,
    /** The answers are compared with those of the service itself. Harmless to any service. */
    comparable: [...methods, ...files, ...cookies, ...headerSizes, ...origins, ...bodySizes],
    outside: options.outside.map((path, at) => {
      const question = makeQuestion('outside', `${runId}-outside${at}`, { path })
      return { ...question, rest: path, fields: ['Accept', 'text/html, application/json;q=0.9, */*;q=0.8'] }
    }),
    /** The same questions again, which a cache would answer; four times where it may keep only what is asked for often. */
    repeated: [nonce, nonce, ...files, ...kept, ...kept, ...kept, ...kept],
    /** To a point in front of the stand-in service, which reports what arrived and has resources for tests. */
    ofStandIn: [
      forged,
      ...methods,
      ...files,
      makeQuestion('redirect', `${runId}-redirect`, { path: '_stand-in/redirect' }),
      makeQuestion('set-cookie', `${runId}-setcookie`, { path: '_stand-in/set-cookie' }),
      ...cookies,
      ...[once, other, once].map((marker) => makeQuestion('nonce', marker, { path: '_stand-in/nonce' })),
      ...headerSizes,
      ...responseSizes,
      ...origins,
      ...bodySizes,
      {
        ...makeQuestion('long-answer', `${runId}-long`, { path: STAND_IN.longPath }),
        bodyBytes: MOST_LONG_BYTES,
      },
      ...STAND_IN.errorPaths.map((path, index) => makeQuestion('error', `${runId}-error${index}`, { path })),
    ],
  }
}

/** One name four times, with values of different lengths, so that sorting, merging or quoting of cookies shows. */
function cookieQuestions({ runId, cookieStart, offersH2 }: QuestionOptions): readonly Question[] {
  const fields = ['Cookie', ['1', '22', '', '"a4"'].map((value) => `${cookieStart}${value}`).join('; ')]
  const overH2: Question = { ...makeQuestion('cookie', `${runId}-cookieh2`, { fields }), protocol: 'h2' }
  return [makeQuestion('cookie', `${runId}-cookie`, { fields }), ...(offersH2 ? [overH2] : [])]
}

function methodQuestions({ runId, pageOrigins }: QuestionOptions): readonly Question[] {
  return METHODS.filter((method) => method !== 'OPTIONS' || pageOrigins.length === 0).map((method) =>
    makeQuestion('method', `${runId}-${method.toLowerCase()}`, {
      method,
      path: DEEP_PATH,
      query: '&q=%41%20b+c&empty=',
      ...chooseBody(method),
    }),
  )
}

/** The POST is JSON, since body parsers that an app has before the points would consume it. */
function chooseBody(method: string): Details {
  const json = '{ "check": "POST body of continuation-point" }\r\n'
  if (method === 'POST') return { fields: ['Content-Type', 'application/json'], body: json }
  return WITH_BODY.has(method) ? { body: `${method} body of continuation-point\r\n\u00ff` } : {}
}

function corsQuestions({ runId, pageOrigins }: QuestionOptions): readonly Question[] {
  const askAcross = (origin: string, name: string) => [
    makeQuestion('preflight', `${runId}-preflight${name}`, {
      method: 'OPTIONS',
      fields: [
        ...['Origin', origin],
        ...['Access-Control-Request-Method', 'POST'],
        ...['Access-Control-Request-Headers', PREFLIGHT_FIELDS],
      ],
    }),
    makeQuestion('cors', `${runId}-cors${name}`, { fields: ['Origin', origin] }),
  ]
  return [
    ...pageOrigins.flatMap((origin, index) => askAcross(origin, String(index))),
    // The first fault is reported: that anyone can read is worse than that anyone can send.
    ...askAcross(STRANGER_ORIGIN, 'stranger').toReversed(),
  ]
}

type Details = Partial<Pick<Question, 'method' | 'fields' | 'body'> & Record<'path' | 'query', string>>

function makeQuestion(purpose: Purpose, marker: string, details: Details = {}): Question {
  const { method = 'GET', path = '', query = '', fields = [], body } = details
  const rest = `${path}?check=${marker}${query}`
  return { purpose, marker, method, rest, fields: ['Accept', 'application/json', ...fields], body }
}

/** A Cookie line of cookies that browsers store (RFC 6265bis section 5.6: at most 4096 bytes of name and value). */
function makeLargeCookies(start: string, lineBytes: number): string {
  const line = Array.from(
    { length: Math.ceil(lineBytes / LARGEST_COOKIE) },
    (_, index) => `${start}${String(index).padEnd(LARGEST_COOKIE - start.length - 2, 'x')}`,
  ).join('; ')
  return line.slice(0, lineBytes)
}

/** The sizes of Cookie lines, and of the Set-Cookie lines of an answer, ascending. */
const LINE_BYTES = [4096, 8192, 16_384, 32_768] as const

/** The sizes of bodies, ascending: above the usual limits of apps and firewalls, and that of nginx. */
const BODY_BYTES = [2048, 65_536, 1_048_576] as const
const MOST_LONG_BYTES = 1_048_576
const FILLER = 'continuation-point '.repeat(BODY_BYTES[2] / 19 + 1)

const LARGEST_COOKIE = 4000
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
/** Names that rules of a site often send elsewhere. */
const FILES = ['widget.js', 'index.php', 'data.json', '.hidden'] as const
/** Asked as by a person, without a query, since some caches keep only that. */
const KEPT = ['', 'check/widget.js', 'check/style.css'] as const
const WITH_BODY: ReadonlySet<string> = new Set(['PUT', 'PATCH'])
// An encoded slash and an unnecessarily encoded character; the query beside it has an encoded space and a plus.
export const DEEP_PATH = 'check/a%2Fb/%7Ec'
