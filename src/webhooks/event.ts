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
export type ReadEvent =
  | { readonly kind: 'documented'; readonly event: DocumentedEvent }
  | { readonly kind: 'other'; readonly event: OtherEvent }
  /** `detail`: what was expected where, in our own words; it quotes nothing of the delivery. */
  | { readonly kind: 'malformed'; readonly detail: string }

/**
 * Reads the JSON of a delivery. **Ours**, since the service's document shows none: an object with `category` and, for
 * `session.started`, the session in `session`.
 */
export function readEvent(delivery: unknown): ReadEvent {
  if (!isObject(delivery)) return { kind: 'malformed', detail: 'the body is not an object' }
  const { category } = delivery
  if (typeof category !== 'string') return { kind: 'malformed', detail: '/category is not a string' }
  if (!isDocumented(category)) return { kind: 'other', event: { ...delivery, category } }
  const event = read(schemas[category], delivery)
  if ('fault' in event) return { kind: 'malformed', detail: event.fault }
  return { kind: 'documented', event: { ...event.value, category } }
}

function isDocumented(category: string): category is keyof WebhookEvents {
  return Object.hasOwn(schemas, category)
}

const schemas = { 'session.started': record<Started>(['session'], startedFields) } as const
