import { type Admission, admit } from '../forward/admission.ts'
import { type Answer, redirectToSlash, toAnswer, toAsker } from '../forward/answer.ts'
import type { Peer } from '../forward/downstream.ts'
import { errorCode, upstreamFailure } from '../forward/error-code.ts'
import type { FailureKind } from '../forward/failure.ts'
import { buildUpstreamFields, buildUpstreamPath } from '../forward/request.ts'
import { toDownstreamHead } from '../forward/response.ts'
import { type Fields, hasField, valuesOf } from '../http/fields.ts'
import { whyExposed } from '../http/unverified.ts'
import { parseUrl } from '../http/url.ts'
import type { ServedPoint } from '../points/match.ts'
import type { EdgeSettings } from './edge-settings.ts'
import { type EdgeVoucher, openVoucher } from './voucher.ts'

/** One request over `fetch`, for a log: of what the client and the service sent, only method and status. */
export interface EdgeRecord {
  readonly id: string
  readonly method: string
  readonly point: ServedPoint | undefined
  /** `undefined` if the client disconnected before a response. */
  readonly status: number | undefined
  readonly outcome: FailureKind | 'ok' | 'redirect' | 'client-abort'
  /** Code of the underlying error, if the runtime provides one. */
  readonly code: string | undefined
}

/**
 * Answers one request: the decisions are the same as the proxy's, the round trip is one `fetch` that follows no redirect.
 *
 * @param clientAddress the client's address, if the runtime knows it; `undefined` adds no X-Forwarded-For
 */
export async function answerOverFetch(
  request: Request,
  clientAddress: string | undefined,
  settings: EdgeSettings,
): Promise<{ readonly response: Response; readonly record: EdgeRecord }> {
  const peer = { address: clientAddress ?? '', isTrusted: false }
  const admission = admitFetched(request, peer, settings)
  const { point } = admission
  const base = { id: crypto.randomUUID(), method: request.method, point, code: undefined }
  const own = ({ status, fields, body }: Answer, outcome: EdgeRecord['outcome'], code?: string) => ({
    response: new Response(request.method === 'HEAD' ? null : body, { status, headers: toHeaders(fields) }),
    record: { ...base, status, outcome, code },
  })
  const fail = (kind: FailureKind, code?: string) =>
    own(toAnswer(kind, base.id, toAsker(request.method, readFields(request.headers), admission)), kind, code)
  if (admission.kind === 'refuse') return fail(admission.failure)
  if (admission.kind === 'redirect') return own(redirectToSlash(admission), 'redirect')
  const voucher = openVoucher(admission.request.claim, admission.request)
  try {
    const received = await sendOn(request, admission, peer, clientAddress, settings, voucher)
    if (received === 'client-abort') {
      // A runtime needs a `Response` even then. Front ends log 499 for that.
      return {
        response: new Response(null, { status: 499 }),
        record: { ...base, status: undefined, outcome: received },
      }
    }
    if ('failure' in received) return fail(received.failure, received.code)
    // Node's fetch lets field names pass that `Headers` throws for.
    const response = await buildResponse(request.method, received.response, voucher).catch(
      (): FailureKind => 'upstream-malformed',
    )
    const isRefused = typeof response === 'string'
    // Node's fetch would wait for the body that a 304 announces, for ever.
    if (isRefused || !response.body) received.abort()
    if (isRefused) return fail(response)
    return { response, record: { ...base, status: response.status, outcome: 'ok' } }
  } finally {
    voucher?.forget()
  }
}

/** Answers a request at which the runtime or this code threw: the message may contain the URL, so no log may have it. */
export function answerThrown(error: unknown, method: string): { response: Response; record: EdgeRecord } {
  const id = crypto.randomUUID()
  const { status, fields, body } = toAnswer('internal', id, { method, accept: [], pointRoot: undefined })
  return {
    response: new Response(method === 'HEAD' ? null : body, { status, headers: toHeaders(fields) }),
    record: { id, method, point: undefined, status, outcome: 'internal', code: errorCode(error) },
  }
}

function admitFetched(
  request: Request,
  peer: Peer,
  { rules, points, headLimitBytes, bodyLimitBytes }: EdgeSettings,
): Admission {
  const url = parseUrl(request.url)
  // Workers make the URL of whatever text Host is.
  if (url === undefined || url.username !== '' || url.password !== '')
    return { kind: 'refuse', failure: 'bad-host' }
  // What follows a comma may have been a Cookie line of its own, with cookies that are not listed.
  const fields = readFields(request.headers).map((text, at, all) =>
    rules.cookieNames !== undefined && all[at - 1] === 'cookie' ? text.replaceAll(', ', '; ') : text,
  )
  const host = hasField(fields, 'host') ? [] : ['host', url.host]
  // `fetch` throws for such a body, which a `Request` of Workers has.
  const isBodyLost = request.method === 'GET' || request.method === 'HEAD'
  const named = withoutNames(fields, isBodyLost ? ['content-length', 'transfer-encoding'] : [])
  // With HTTP/2, or created by a program, a request with a body may have no field that tells its length.
  const isFramed = hasField(fields, 'content-length') || hasField(fields, 'transfer-encoding')
  const framing = isBodyLost || isFramed || request.body === null ? [] : ['transfer-encoding', 'chunked']
  const raw = {
    method: request.method,
    url: `${url.origin}${url.pathname}${url.search}`,
    httpVersion: '1.1',
    rawHeaders: [...host, ...named, ...framing],
  }
  return admit(raw, peer, url.protocol === 'https:' ? 'https' : undefined, {
    points,
    headLimitBytes,
    bodyLimitBytes,
    bodyState: request.bodyUsed || request.body?.locked === true ? 'taken' : 'untouched',
  })
}

/**
 * Sends an admitted request to the service, in one `fetch` that follows no redirect. Only the wait for the head of the
 * response has a deadline; the round trip is aborted at any time if the client disconnects.
 */
async function sendOn(
  request: Request,
  { request: admitted, point }: Extract<Admission, { kind: 'forward' }>,
  peer: Peer,
  clientAddress: string | undefined,
  { rules, serviceOrigin, headersTimeoutMs }: EdgeSettings,
  voucher: EdgeVoucher | undefined,
): Promise<
  { response: Response; abort: () => void } | { failure: FailureKind; code: string } | 'client-abort'
> {
  // Not only at the start: a program can set it later.
  if (whyExposed(serviceOrigin) !== undefined) return { failure: 'internal', code: 'EXPOSED' }
  const applied = clientAddress === undefined ? { ...rules, clientAddress: 'omit' as const } : rules
  const fields = buildUpstreamFields(admitted, point, peer, applied)
  voucher?.compare(fields)
  const { body } = request
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), headersTimeoutMs)
  try {
    const response = await fetch(`${serviceOrigin}${buildUpstreamPath(admitted, point, rules)}`, {
      ...UNALTERED,
      method: request.method,
      headers: toHeaders(prepareForFetch(fields, admitted.body === undefined ? 'none' : 'sent')),
      signal: AbortSignal.any([request.signal, giveUp.signal]),
      // The Fetch standard requires `duplex` for a body that is a stream.
      ...(admitted.body === undefined
        ? {}
        : { body: body && (voucher?.watch(body) ?? body), duplex: 'half' }),
    })
    return { response, abort: () => giveUp.abort() }
  } catch (error) {
    if (giveUp.signal.aborted) return { failure: 'upstream-head-timeout', code: 'HEAD_TIMEOUT' }
    if (request.signal.aborted) return 'client-abort'
    return classifyFailure(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Runtimes wrap the cause of a failed `fetch`, or hide it: then all we know is that the service is unreachable. */
function classifyFailure(error: unknown): { readonly failure: FailureKind; readonly code: string } {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const kind = upstreamFailure(cause)
  return { failure: kind === 'internal' ? 'upstream-unreachable' : kind, code: errorCode(cause) }
}

async function buildResponse(
  method: string,
  { status, headers, body }: Response,
  voucher: EdgeVoucher | undefined,
): Promise<Response | FailureKind> {
  const fields = withoutCoding(readFields(headers), status)
  if (fields === undefined) return 'upstream-coding'
  const head = toDownstreamHead(method, status, fields)
  const length = headers.get('content-length') ?? ''
  // Runtimes don't look at the length of a response that has no body.
  const isDouble = length !== '' && headers.has('transfer-encoding')
  if (head === undefined || isDouble || !/^\d{0,15}$/.test(length)) return 'upstream-malformed'
  if (voucher !== undefined) head.fields.push(...(await voucher.toField(head)))
  // Workers fail to decode gzip without an octet.
  return new Response(head.body === 'none' || length === '0' ? null : body && readAhead(body), {
    status,
    // `fetch` drops the body of a 205.
    headers: toHeaders(status === 205 ? withoutNames(head.fields, ['content-length']) : head.fields),
  })
}

/**
 * The fetch of Node 24 ends the process where a service closes while its response waits to be read (undici, issue 5360). So
 * there it never waits: a visitor who is more than 8 MiB behind loses the connection.
 */
function readAhead(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  if (globalThis.process?.versions?.undici === undefined) return body
  const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) => {
    controller.enqueue(chunk)
    if ((controller.desiredSize ?? 0) <= 0) throw new Error('The visitor reads too slowly')
  }
  const queue = { highWaterMark: MOST_AHEAD_BYTES, size: (chunk: Uint8Array) => chunk.length }
  return body.pipeThrough(new TransformStream({ transform }, undefined, queue))
}

/** The field lines of a Headers object: names in lower case, lines of the same name joined, except for Set-Cookie. */
export function readFields(headers: Headers): string[] {
  const fields: string[] = []
  headers.forEach((value, name) => {
    if (name !== 'set-cookie') fields.push(name, value)
  })
  return [...fields, ...headers.getSetCookie().flatMap((line) => ['set-cookie', line])]
}

/** Field lines as Headers, each appended. */
export function toHeaders(fields: Fields): Headers {
  const headers = new Headers()
  for (let i = 0; i + 1 < fields.length; i += 2) headers.append(fields[i] ?? '', fields[i + 1] ?? '')
  return headers
}

/**
 * The field lines for `fetch`, which takes Host from the URL. It would silently decode the response, so no content coding
 * is accepted. Nothing tells whether the service reads a body, and what it leaves could become the next visitor's request:
 * so that connection is not used again, in a runtime that would do that.
 */
function prepareForFetch(fields: Fields, body: 'none' | 'sent'): string[] {
  const others = withoutNames(fields, ['host', 'accept-encoding'])
  return [...others, 'Accept-Encoding', 'identity', ...(body === 'sent' ? ['Connection', 'close'] : [])]
}

/**
 * The field lines of a response without those that describe its coded octets, if `fetch` has decoded them: gzip in Workers.
 * Node's would end a body that is cut as if it were whole, and Deno's does not decode. A part (206) can't be decoded.
 *
 * @returns `undefined` if the body may still be encoded
 */
function withoutCoding(fields: Fields, status: number): readonly string[] | undefined {
  const codings = valuesOf(fields, 'content-encoding').join()
  if (codings === '' || codings.toLowerCase() === 'identity') return fields
  if (codings !== 'gzip' || status === 206 || !('WebSocketPair' in globalThis)) return undefined
  return withoutNames(fields, ABOUT_CODED)
}

function withoutNames(fields: Fields, lowerNames: readonly string[]): string[] {
  return fields.filter((_text, at) => !lowerNames.includes((fields[at - (at % 2)] ?? '').toLowerCase()))
}

const MOST_AHEAD_BYTES = 8_388_608

const ABOUT_CODED =
  'content-encoding content-length accept-ranges etag content-digest repr-digest digest content-md5'.split(
    ' ',
  )

/** No redirect is followed, and no platform's cache can give one visitor's response to another. */
const UNALTERED = { redirect: 'manual', cache: 'no-store' } as const
