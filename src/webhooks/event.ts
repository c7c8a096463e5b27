import { type Fields, integerId, isObject, read, record, text } from '../api/schema.ts'
import { session } from '../api/sessions.ts'

const startedFields = {
  /** The same as from `sessions.get`. */
  session,
  /** The account, if the delivery names it. */
  company_id: integerId,
  /** The subscription, if the delivery names it. */
  webhook_id: integerId,
  /** ISO 8601, UTC, microseconds, if the delivery says it. */
  sent_at: text,
}

type Started = Fields<typeof startedFields, 'company_id' | 'webhook_id' | 'sent_at'>

/** A co-browsing session has started: the only category that the service documents (spec 6). */
export interface SessionStarted extends Started {
  readonly category: 'session.started'
}

/** An event of an undocumented category, as received. */
export interface OtherEvent {
  readonly category: string
  readonly [member: string]: unknown
}

/** The documented events, by category. */
export interface WebhookEvents {
  readonly 'session.started': SessionStarted
}

export type DocumentedEvent = WebhookEvents[keyof WebhookEvents]

/** What a delivery contains. */
export type TakenEvent =
  | { readonly kind: 'documented'; readonly event: DocumentedEvent }
  | { readonly kind: 'other'; readonly event: OtherEvent }

/**
 * Reads the JSON of a delivery. **Ours**, since the service's document shows none: an object with `category` and, for
 * `session.started`, the session in `session`.
 *
 * @returns it, or what was expected where, in our own words; that quotes nothing of the delivery
 */
export function readEvent(delivery: unknown): TakenEvent | { readonly fault: string } {
  if (!isObject(delivery)) return { fault: 'the body is not an object' }
  const { category } = delivery
  if (typeof category !== 'string') return { fault: '/category is not a string' }
  if (category !== 'session.started') return { kind: 'other', event: { ...delivery, category } }
  const event = read(started, delivery)
  return 'fault' in event ? event : { kind: 'documented', event: { ...event.value, category } }
}

const started = record<Started>(['session'], startedFields)
