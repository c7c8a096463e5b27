/** What went wrong with a delivery, or after it was accepted. */
export type WebhookErrorKind = keyof typeof KINDS

/**
 * The error that a receiver reports. Its message quotes nothing of the request: no secret, address or body. The `cause` of a
 * `handler`, `store` or `wait-until` error is what was thrown.
 *
 * @example
 * import { createWebhookReceiver } from 'continuation-point/webhooks'
 *
 * const receiver = createWebhookReceiver({
 *   secret: process.env.WEBHOOK_SECRET ?? '',
 *   onEvent: ({ session }) => console.log(session.formatted_id),
 *   onError: (error) => console.error(error.kind, error.status, error.message),
 * })
 */
export class WebhookError extends Error {
  readonly kind: WebhookErrorKind
  /** The HTTP status that the sender got; absent if the event was accepted before, or the sender left. */
  readonly status: number | undefined
  /** The category of an `unknown-event`, `handler` or `store` error; absent if it has characters other than `[\w.:-]`. */
  readonly category: string | undefined

  constructor(
    kind: WebhookErrorKind,
    { detail, category, cause }: { detail?: string; category?: string; cause?: unknown } = {},
  ) {
    const { phrase, status } = KINDS[kind]
    super(
      `webhook: ${phrase}${detail === undefined ? '' : ` (${detail})`}`,
      cause === undefined ? {} : { cause },
    )
    this.name = 'WebhookError'
    this.kind = kind
    this.status = status
    this.category = category !== undefined && /^[\w.:-]{1,64}$/.test(category) ? category : undefined
  }
}

const KINDS = {
  secret: { status: 403, phrase: 'the secret in the URL is missing or wrong' },
  method: { status: 405, phrase: 'the method is not POST' },
  'content-type': { status: 415, phrase: 'the body is not plain application/json' },
  'too-large': { status: 413, phrase: 'the body is larger than limitBytes' },
  slow: { status: 408, phrase: 'the body did not arrive in time' },
  aborted: { status: undefined, phrase: 'the sender left before the body was complete' },
  taken: {
    status: 500,
    phrase: 'something else has read the body; mount the receiver ahead of every body parser',
  },
  json: { status: 400, phrase: 'the body is not JSON in UTF-8' },
  malformed: { status: 422, phrase: 'the event is not what was expected' },
  'unknown-event': {
    status: 422,
    phrase: 'the category is not a documented one; set onOther to accept it',
  },
  busy: { status: 503, phrase: 'too many events are in progress' },
  store: { status: undefined, phrase: 'the store of seen events failed; the event was passed on unchecked' },
  handler: { status: undefined, phrase: 'the handler failed after the event was accepted' },
  'wait-until': {
    status: undefined,
    phrase: 'the runtime’s waitUntil failed; the event is passed on unless the runtime stops before that',
  },
} as const
