import type { Secret } from '../config/secret.ts'
import { UNVERIFIED } from '../http/unverified.ts'

/** Why a call failed. For the first six there was no complete answer. */
export type ApiErrorKind = keyof typeof PHRASES

/** What is known of a failed call besides the call itself. */
export interface Failure {
  readonly kind: ApiErrorKind
  readonly status?: number | undefined
  readonly fieldErrors?: FieldErrors | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  /** Added to the message, in our own words: an error code, or which field has the wrong type. */
  readonly detail?: string | undefined
}

/** Messages by field name (spec 7, rule 1). */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/**
 * The error of every failed call. Its properties, message, stack and cause contain no key, query, body or address.
 *
 * @example
 * import { ApiError, createClient } from 'continuation-point/api'
 *
 * const client = createClient({ baseUrl: 'https://cobrowse.example.net/v2', apiKey: process.env.API_KEY })
 * try {
 *   await client.sessions.get('no-such-session')
 * } catch (error) {
 *   if (!(error instanceof ApiError && error.kind === 'not-found')) throw error
 * }
 */
export class ApiError extends Error {
  readonly kind: ApiErrorKind
  readonly method: string
  /** Below the REST root, without the query; a client key is replaced by its placeholder. */
  readonly path: string
  /** HTTP status; absent when no answer came. */
  readonly status: number | undefined
  /** The service's messages about single fields; empty without any. */
  readonly fieldErrors: FieldErrors
  /** The service's id of the request, for its support; absent if it gave none. */
  readonly requestId: string | undefined
  /** An error code, the status, or what is wrong with the answer: the message has it in parentheses. */
  readonly detail: string | undefined
  /** Milliseconds until the service, or the client's own budget, accepts a request again. */
  readonly retryAfterMs: number | undefined

  constructor(method: string, path: string, failure: Failure) {
    const { kind, status, fieldErrors, requestId, retryAfterMs, detail } = failure
    const names = listFieldNames(fieldErrors ?? {})
    const rejected = names.length === 0 ? '' : `; it rejected ${names.join(', ')}`
    const clause = detail === undefined ? '' : ` (${detail})`
    super(`${method} ${path}: ${PHRASES[kind]}${rejected}${clause}`)
    this.name = 'ApiError'
    this.kind = kind
    this.method = method
    this.path = path
    this.status = status
    this.fieldErrors = fieldErrors ?? {}
    this.requestId = requestId
    this.detail = detail
    this.retryAfterMs = retryAfterMs
  }
}

/** Removes the keys from what the service wrote: a service that refuses a key may quote it, or an earlier one. */
export function withoutKeys(failure: Failure, keys: readonly (Secret | undefined)[]): Failure {
  const texts = keys.flatMap((key) => key?.reveal() ?? [])
  if (texts.length === 0) return failure
  const { fieldErrors, requestId } = failure
  // In one pass, so that the replacement itself stays; the longest first, which others may begin; escapes in either case.
  const spellings = texts
    .flatMap((text) => [text, encodeURIComponent(text), `${new URLSearchParams([['', text]])}`.slice(1)])
    .sort((a, b) => b.length - a.length)
    .map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const redact = (quoted: string) => quoted.replace(new RegExp(spellings.join('|'), 'gi'), '[secret]')
  return {
    ...failure,
    requestId: requestId === undefined || redact(requestId) === requestId ? requestId : undefined,
    fieldErrors:
      fieldErrors &&
      Object.fromEntries(
        Object.entries(fieldErrors).map(([field, messages]) => [redact(field), messages.map(redact)]),
      ),
  }
}

/** Of the first fields that the service named, what looks like a name: its messages repeat what was sent. */
export function listFieldNames(fieldErrors: FieldErrors): readonly string[] {
  const names = Object.keys(fieldErrors).filter((name) => /^[a-z_]{1,40}$/.test(name))
  return names.slice(0, 10)
}

/** Only the code: messages quote what was sent, which may be a key or a token. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{2,60}$/.test(code) ? code : undefined
}

const PHRASES = {
  connection: 'no complete answer from the service; check the base URL and the network',
  timeout: 'no complete answer in time; raise timeoutMs if the service is slow',
  aborted: 'aborted by the caller',
  pacing: 'not sent, since 100 requests were sent within the last minute; wait, or set pacing to "wait"',
  unverified: `not sent, since ${UNVERIFIED}; unset it`,
  'no-key': 'not sent, since this call needs a key; pass apiKey to createClient',
  credential: 'the service refused the key; check that it is the REST key of this account',
  'not-found': 'the service found nothing; check the id',
  invalid: 'the service refused the request',
  'rate-limit': 'too many requests from this address; wait for retryAfterMs',
  refused: 'the service refused the request',
  failed: 'the service failed',
  redirect: 'the service redirects, and redirects are not followed; check the base URL',
  malformed: 'the answer is not what the service documents; check the base URL',
  'too-large': 'the answer is larger than the client takes',
} as const
