/** Why a call failed. The first five never got an answer that counts; the others did. */
export type ApiErrorKind = keyof typeof phrases

/** What is known of a failed call beside the call itself. */
export interface Failure {
  readonly kind: ApiErrorKind
  readonly status?: number | undefined
  readonly fieldErrors?: FieldErrors | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  /** A clause for the message, in our own words: an error code, or which field is of which type. */
  readonly detail?: string | undefined
}

/** Messages by the name of the field that they are about (spec 7, rule 1). */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/**
 * The one error of every call. Nothing that it holds, and no message, stack or cause of it, carries a key, a query, a
 * body or an address.
 */
export class ApiError extends Error {
  readonly kind: ApiErrorKind
  readonly method: string
  /** Below the REST root, without the query; a client key in it is left as its placeholder. */
  readonly path: string
  /** HTTP status; absent when no answer came. */
  readonly status: number | undefined
  /** What the service says of single fields; empty when it says nothing. */
  readonly fieldErrors: FieldErrors
  /** The service's own name for the request, for a question to its support; absent when it gave none. */
  readonly requestId: string | undefined
  /** Milliseconds after which the service, or the client's own budget, would accept a request again. */
  readonly retryAfterMs: number | undefined

  constructor(method: string, path: string, failure: Failure) {
    const { kind, status, fieldErrors, requestId, retryAfterMs, detail } = failure
    const clause = detail === undefined ? '' : ` (${detail})`
    super(`${method} ${path}: ${phrases[kind]}${clause}`)
    this.name = 'ApiError'
    this.kind = kind
    this.method = method
    this.path = path
    this.status = status
    this.fieldErrors = fieldErrors ?? {}
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }
}

const phrases = {
  connection: 'no whole answer from the service; check the base URL and the network',
  timeout: 'no whole answer in time; raise timeoutMs if the service is slow',
  aborted: 'aborted by the caller',
  pacing: 'not sent, since 100 requests have left within the last minute; wait, or choose pacing "wait"',
  'no-key': 'not sent, since this call needs a key; give apiKey to createClient',
  credential: 'the service refused the key; check that it is the REST key of this account',
  'not-found': 'the service knows no such thing; check the id',
  invalid: 'the service refused the request; fieldErrors may say which field',
  'rate-limit': 'too many requests from this address; wait for retryAfterMs',
  refused: 'the service refused the request',
  failed: 'the service failed',
  redirect: 'the service redirects, which is never followed; check the base URL',
  malformed: 'the answer is not what the service documents; check the base URL',
  'too-large': 'the answer is larger than limitBytes',
} as const
