import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Secret } from '../config/secret.ts'
import type { DocumentedEvent, OtherEvent } from './event.ts'
import { answerFetch, type FetchContext, type HonoContext, toFetchContext } from './fetch-delivery.ts'
import { toListener } from './node-delivery.ts'
import {
  type Answer,
  type Delivery,
  type ReceptionRules,
  receive,
  type TakenEvent,
  toAnswer,
} from './reception.ts'
import { memorySeenEvents, type SeenEvents } from './seen-events.ts'
import { toJudgeSecret } from './url-secret.ts'
import { WebhookError } from './webhook-error.ts'

export interface WebhookReceiverSettings {
  /**
   * What the URL that you register holds as its parameter `secret`: `https://hooks.example.com/cobrowse?secret=…`. At
   * least 16 characters. While you change it, give both: the new one and the old one.
   */
  readonly secret: Secret | string | readonly (Secret | string)[]
  /** Called with each event that is documented, after the sender has its answer. It may take its time. */
  readonly onEvent: (event: DocumentedEvent) => unknown
  /** Called with events of other categories, likewise. Left out, these are refused with 422. */
  readonly onOther?: ((event: OtherEvent) => unknown) | undefined
  /**
   * Called with everything that goes wrong. What it throws is dropped.
   *
   * @param event the event of a `handler` or `store` error, and of one refused as `unknown-event` or `busy`: it is
   * yours to keep, and its PIN and links are not for a log
   */
  readonly onError: (error: WebhookError, event: DocumentedEvent | OtherEvent | undefined) => unknown
  /** Remembers which events came before. Default: the last 10 000, in this process. */
  readonly seen?: SeenEvents | undefined
  /** Turns the JSON of a delivery into `{ category, session }`, should your service send something else. */
  readonly read?: ((body: unknown) => unknown) | undefined
  /** Bytes that a body may have. Default: 262 144. */
  readonly limitBytes?: number | undefined
  /** Milliseconds for a body to arrive. Default: 10 000. */
  readonly timeoutMs?: number | undefined
  /** Events that may be in hand at once; the next one is answered 503. Default: 1000. */
  readonly limitEvents?: number | undefined
}

/** One receiver, with a door for each kind of server. */
export interface WebhookReceiver {
  /** For node:http and what is built on it. Mount it ahead of every body parser. */
  readonly listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  /** For everything that speaks `fetch`; a Worker passes its context, so that handlers outlive the answer. */
  readonly fetch: (request: Request, env?: unknown, context?: FetchContext) => Promise<Response>
  /** For a route of Hono: `app.all('/hooks/cobrowse', receiver.hono)`. */
  readonly hono: (context: HonoContext) => Promise<Response>
  /** Resolves once no event is in hand: what to wait for before a process ends. */
  readonly settled: () => Promise<void>
}

/**
 * Makes a receiver of the service's webhooks. A delivery is judged, answered at once and then handed on; one event is
 * handed on once, however often it is delivered.
 *
 * Answers: 202 for an event that was taken, now or before; else the status of the `WebhookError` that `onError` gets,
 * as application/problem+json.
 *
 * @throws TypeError and RangeError for settings that can't work: a secret under 16 characters, a limit that is no whole
 * number from 1
 *
 * @example
 * const receiver = createWebhookReceiver({
 *   secret: process.env.WEBHOOK_SECRET ?? '',
 *   onEvent: ({ session }) => callTheSupportTeam(session.formatted_id),
 *   onError: (error) => console.error(error.message),
 * })
 * createServer(receiver.listener).listen(3000)
 */
export function createWebhookReceiver(settings: WebhookReceiverSettings): WebhookReceiver {
  const { onOther, onEvent, onError, seen = memorySeenEvents() } = settings
  const { limitBytes = 262_144, timeoutMs = 10_000, limitEvents = 1000 } = settings
  demandWhole({ limitBytes, timeoutMs, limitEvents })
  const rules: ReceptionRules = {
    judgeSecret: toJudgeSecret(settings.secret),
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
      // There is nobody left to tell.
    }
  }
  const handOn = async (taken: TakenEvent, octets: Uint8Array) => {
    const { category } = taken.event
    let reported: Promise<void> | undefined
    try {
      const claimed = await within(claimTimeoutMs, async () => seen.claim(await toSeenKey(taken, octets)))
      if (!claimed) return
    } catch (cause) {
      // An event that comes twice is better than one that is lost, or that waits for whoever hears of errors.
      reported = report(new WebhookError('store', { category, cause }), taken.event)
    }
    try {
      await (taken.kind === 'documented' ? onEvent(taken.event) : onOther?.(taken.event))
    } catch (cause) {
      await report(new WebhookError('handler', { category, cause }), taken.event)
    }
    await reported
  }
  /** Judges, and gives the answer with what is to be done once it is sent. */
  const answer = async (delivery: Delivery): Promise<Answer> => {
    const received = await receive(delivery, rules)
    if ('refused' in received) return toAnswer(received.refused, () => report(received.refused))
    const { taken, octets } = received
    const { event } = taken
    const refusal =
      taken.kind === 'other' && onOther === undefined
        ? new WebhookError('unknown-event', { category: event.category })
        : inHand >= limitEvents
          ? new WebhookError('busy', { category: event.category })
          : undefined
    if (refusal !== undefined) return toAnswer(refusal, () => report(refusal, event))
    inHand += 1
    return toAnswer('taken', async () => {
      await handOn(taken, octets)
      inHand -= 1
      if (inHand === 0) for (const resolve of waiting.splice(0)) resolve()
    })
  }

  const fetch: WebhookReceiver['fetch'] = (request, _env, context) =>
    answerFetch(answer, request, context, report)
  return {
    listener: toListener(answer, timeoutMs),
    fetch,
    hono: (context) => fetch(context.req.raw, undefined, toFetchContext(context)),
    settled: () => (inHand === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

/** A session starts once; of what else there is nothing is known but its octets. */
async function toSeenKey({ kind, event }: TakenEvent, octets: Uint8Array): Promise<string> {
  if (kind === 'documented') return `${event.category}:${event.session.session_id}`
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', octets.slice()))
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${event.category}:${hex}`
}

async function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

function demandWhole(limits: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isInteger(value) || value < 1 || value > 2 ** 31 - 1) {
      throw new RangeError(`${name} is not a whole number from 1 to ${2 ** 31 - 1}`)
    }
  }
}

/** How long a store of seen events may take. */
const claimTimeoutMs = 5_000
