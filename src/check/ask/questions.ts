import type { Fields } from '../../http/fields.ts'
import { FORGED, PREFLIGHT_FIELDS, type Purpose, type Question } from '../read/question.ts'

export interface QuestionOptions {
  /** Unique to one point in one run; visible ASCII without `-`. */
  readonly runId: string
  /** Origins of pages that use the point from another origin. */
  readonly pageOrigins: readonly string[]
  /** A cookie name that the front end forwards. */
  readonly cookieName: string
}

/** The first question of all: the verification page, as JSON where the service can. */
export function verificationQuestion({ runId }: QuestionOptions): Question {
  return ask('verification', `${runId}-verification`)
}

/** What a point is asked whose service can be compared with a direct request. Harmless to any service. */
export function comparableQuestions(options: QuestionOptions): readonly Question[] {
  return [...methodQuestions(options), ...headerSizeQuestions(options), ...corsQuestions(options)]
}

/** What a point is asked whose service is the stand-in, which tells what arrived and has resources for tests. */
export function standInQuestions(options: QuestionOptions): readonly Question[] {
  const { runId, cookieName } = options
  const [once, other] = [`${runId}-nonce1`, `${runId}-nonce2`]
  return [
    ask('forged', `${runId}-forged`, {
      fields: ['X-Widget-Key', FORGED.widgetKey, 'X-Continuation-Origin', FORGED.origin],
    }),
    ...methodQuestions(options),
    ask('redirect', `${runId}-redirect`, { path: '_stand-in/redirect' }),
    ask('set-cookie', `${runId}-setcookie`, { path: '_stand-in/set-cookie' }),
    ask('cookie', `${runId}-cookie`, { fields: ['Cookie', toUnusualCookies(cookieName)] }),
    ...[once, other, once].map((marker) => ask('nonce', marker, { path: '_stand-in/nonce' })),
    ...headerSizeQuestions(options),
    ...corsQuestions(options),
  ]
}

function methodQuestions({ runId, pageOrigins }: QuestionOptions): readonly Question[] {
  return METHODS.filter((method) => method !== 'OPTIONS' || pageOrigins.length === 0).map((method) =>
    ask('method', `${runId}-${method.toLowerCase()}`, {
      method,
      path: DEEP_PATH,
      query: DEEP_QUERY,
      ...toBody(method),
    }),
  )
}

/** A POST in JSON is what a body parser takes that stands before the points of an app. */
function toBody(method: string): Details {
  if (method === 'POST') {
    return {
      fields: ['Content-Type', 'application/json'],
      body: '{ "check": "POST body of continuation-point" }\r\n',
    }
  }
  return WITH_BODY.has(method) ? { body: `${method} body of continuation-point\r\n\u00ff` } : {}
}

function headerSizeQuestions({ runId, cookieName }: QuestionOptions): readonly Question[] {
  return COOKIE_OCTETS.map((octets) =>
    ask('header-size', `${runId}-size${octets}`, {
      fields: ['Cookie', toLargeCookies(cookieName, octets)],
    }),
  )
}

function corsQuestions({ runId, pageOrigins }: QuestionOptions): readonly Question[] {
  return pageOrigins.flatMap((origin, index) => [
    ask('preflight', `${runId}-preflight${index}`, {
      method: 'OPTIONS',
      fields: [
        ...['Origin', origin],
        ...['Access-Control-Request-Method', 'POST'],
        ...['Access-Control-Request-Headers', PREFLIGHT_FIELDS],
      ],
    }),
    ask('cors', `${runId}-cors${index}`, { fields: ['Origin', origin] }),
  ])
}

interface Details {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly fields?: Fields
  readonly body?: string | undefined
}

function ask(purpose: Purpose, marker: string, details: Details = {}): Question {
  const { method = 'GET', path = '', query = '', fields = [], body } = details
  return {
    purpose,
    marker,
    method,
    rest: `${path}?check=${marker}${query}`,
    fields: ['Accept', 'application/json', ...fields],
    body,
  }
}

/** One name four times, with values of different lengths: whoever sorts, merges or re-quotes cookies shows. */
function toUnusualCookies(name: string): string {
  return `${name}=1; ${name}=22; ${name}=; ${name}="a4"`
}

/** Cookies of a size that browsers keep (6265bis section 5.6: at most 4096 octets of name and value), in one line. */
function toLargeCookies(name: string, octets: number): string {
  const line = Array.from(
    { length: Math.ceil(octets / LARGEST_COOKIE) },
    (_, index) => `${name}=${String(index).padEnd(LARGEST_COOKIE - name.length - 3, 'x')}`,
  ).join('; ')
  return line.slice(0, octets)
}

/** The octets of the Cookie lines, ascending. */
const COOKIE_OCTETS = [4096, 8192, 16_384, 32_768] as const

const LARGEST_COOKIE = 4000
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const WITH_BODY: ReadonlySet<string> = new Set(['PUT', 'PATCH'])
// An encoded slash, an encoded octet that need not be, and in the query a blank and a plus, each in its own spelling.
const DEEP_PATH = 'check/a%2Fb/%7Ec'
const DEEP_QUERY = '&q=%41%20b+c&empty='
