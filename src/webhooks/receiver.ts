import type { IncomingMessage, ServerResponse } from 'node:http'
import { requireWhole } from '../api/schema.ts'
import type { Secret } from '../config/secret.ts'
import type { DocumentedEvent, OtherEvent, TakenEvent } from './event.ts'
import { answerFetch, type FetchContext, findFetchContext, type HonoContext } from './fetch-delivery.ts'
import { toListener } from './node-delivery.ts'
import { type Answer, type Delivery, type ReceptionRules, receive, toAnswer, within } from './reception.ts'
import { memorySeenEvents, type SeenEvents } from './seen-events.ts'
import { compileHasSecret } from './url-secret.ts'
import { WebhookError } from './webhook-error.ts'

export interface WebhookReceiverSettings {
  /**
   * The parameter `secret` of the URL that you register, `https://hooks.example.com/cobrowse?secret=…`, with at least 16
   * characters. While you change it, give both the new and the old one.
   */
  readonly secret: Secret | string | readonly (Secret | string)[]
  /** Called with each documented event, after the sender got its answer. It may take long. */
  readonly onEvent: (event: DocumentedEvent) => unknown
  /** The same for events of other categories. Without it these are refused with 422. */
  readonly onOther?: ((event: OtherEvent) => unknown) | undefined
  /**
   * Called with every error. What it throws is ignored.
   *
   * @param event the event, for a `handler`, `store`, `unknown-event` or `busy` error, so that you can keep it. Don't log it:
   * it contains a PIN and links
   */
  readonly onError: (error: WebhookError, event: DocumentedEvent | OtherEvent | undefined) => unknown
  /** Remembers events that were delivered before. Default: the last 10 000, in this process. */
  readonly seen?: SeenEvents | undefined
  /** Converts the JSON of a delivery to `{ category, session }`, if your service sends something else. */
  readonly read?: ((body: unknown) => unknown) | undefined
  /** The largest body in bytes. Default: 262 144. */
  readonly limitBytes?: number | undefined
  /** Milliseconds in which a body has to arrive. Default: 10 000. */
  readonly timeoutMs?: number | undefined
  /** How many events may be in progress at once; further ones are answered 503. Default: 1000. */
  readonly limitEvents?: number | undefined
}

/** One receiver for each kind of server. */
export interface WebhookReceiver {
  /** For node:http and what is built on it. Mount it ahead of every body parser. */
  readonly listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  /** For `fetch` handlers. A Worker passes its context, so that `onEvent` can outlive the answer. */
  readonly fetch: (request: Request, env?: unknown, context?: FetchContext) => Promise<Response>
  /** For a route of Hono: `app.all('/hooks/cobrowse', receiver.hono)`. */
  readonly hono: (context: HonoContext) => Promise<Response>
  /** Resolves once no event is in progress. Await it before the process ends. */
  readonly settled: () => Promise<void>
}

/**
 * Creates a receiver of the service's webhooks. A delivery is checked, answered at once and then passed on. An event is
 * passed on once, however often it is delivered.
 *
 * It answers 202 to an accepted event, new or repeated; else the status of the `WebhookError` that `onError` gets, as
 * application/problem+json.
 *
 * @throws TypeError and RangeError for invalid settings: a secret of less than 16 characters, a limit that is not a positive
 * integer
 *
 * @example
 * import { createServer } from 'node:http'
 * import { createWebhookReceiver } from 'continuation-point/webhooks'
 *
 * const receiver = createWebhookReceiver({
 *   secret: process.env.WEBHOOK_SECRET ?? '',
 *   onEvent: ({ session }) => console.log(session.formatted_id),
 *   onError: (error) => console.error(error.message),
 * })
 * createServer(receiver.listener).listen(3000)
 */
export function createWebhookReceiver(settings: WebhookReceiverSettings): WebhookReceiver {
  const { onOther, onEvent, onError, seen = memorySeenEvents() } = settings
  const { limitBytes = 262_144, timeoutMs = 10_000, limitEvents = 1000 } = settings
  requireWhole({ limitBytes, timeoutMs, limitEvents }, 1)
  const rules: ReceptionRules = {
    hasSecret: compileHasSecret(settings.secret),
    read: settings.read ?? ((body) => body),
    limitBytes,
    timeoutMs,
  }
  let inHand = 0
  const waiting: (() => void)[] = []

  const report = async (error: WebhookError, event?: DocumentedEvent | OtherEvent) => {
    try {
      await onError(error, event)
    } catch {
      // There is nowhere left to report it.
    }
  }
  const handOn = async (taken: TakenEvent, raw: Uint8Array) => {
    const { category } = taken.event
    let reported: Promise<void> | undefined
    try {
      const claimed = await within(CLAIM_TIMEOUT_MS, async () => seen.claim(await identifyEvent(taken, raw)))
      if (!claimed) return
    } catch (cause) {
      // Better twice than lost. The event does not wait for `onError` either.
      reported = report(new WebhookError('store', { category, cause }), taken.event)
    }
    try {
      await (taken.kind === 'documented' ? onEvent(taken.event) : onOther?.(taken.event))
    } catch (cause) {
      await report(new WebhookError('handler', { category, cause }), taken.event)
    }
    await reported
  }
  /** Checks a delivery; gives the answer, and the work to do once it is sent. */
  const answer = async (delivery: Delivery): Promise<Answer> => {
    const received = await receive(delivery, rules)
    if (received instanceof WebhookError) return toAnswer(received, () => report(received))
    const { taken, raw } = received
    const { event } = taken
    const isUnknown = taken.kind === 'other' && onOther === undefined
    if (isUnknown || inHand >= limitEvents) {
      const refusal = new WebhookError(isUnknown ? 'unknown-event' : 'busy', { category: event.category })
      return toAnswer(refusal, () => report(refusal, event))
    }
    inHand += 1
    return toAnswer('taken', async () => {
      await handOn(taken, raw)
      inHand -= 1
      if (inHand === 0) for (const resolve of waiting.splice(0)) resolve()
    })
  }

  const fetch: WebhookReceiver['fetch'] = (request, _env, context) =>
    answerFetch(answer, request, context, report)
  return {
    listener: toListener(answer, timeoutMs),
    fetch,
    hono: (context) => fetch(context.req.raw, undefined, findFetchContext(context)),
    settled: () => (inHand === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

/** A session starts only once. Of other events only the body tells whether they are the same. */
async function identifyEvent({ kind, event }: TakenEvent, raw: Uint8Array): Promise<string> {
  if (kind === 'documented') return `${event.category}:${event.session.session_id}`
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', raw.slice()))
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${event.category}:${hex}`
}

/** How long a store of seen events may take to answer. */
const CLAIM_TIMEOUT_MS = 5_000
