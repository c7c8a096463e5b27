import type { Fault } from '../schema/schema.ts'
import type { PendingDelivery } from '../state/deliveries.ts'

/** An answer as a value. */
export interface Reply {
  readonly status: number
  readonly json?: unknown
  /** A text/plain body in place of it. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent to webhooks afterwards. */
  readonly events?: readonly PendingDelivery[]
}

/** Messages by field name: the only error body that the service shows (spec 7). */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export function ok(json: unknown): Reply {
  return { status: 200, json }
}

/** **Ours:** every refusal has the body that the service shows for an unknown agent. */
export function refused(status: number, errors: FieldErrors): Reply {
  return { status, json: { errors } }
}

export function notFound(field: string, what: string): Reply {
  return refused(404, { [field]: [`No ${what} was found.`] })
}

/** The refusal to add one more of them. */
export function full(what: string, field = what): Reply {
  return refused(400, { [field]: [`The account has as many ${what} as it may have.`] })
}

/** Faults by field; a fault of the whole body is under `body`. */
export function toFieldErrors(faults: readonly Fault[]): FieldErrors {
  const errors: Record<string, string[]> = Object.create(null)
  for (const { path, message } of faults) {
    const [field = 'body', ...within] = path.map(String)
    const place = within.length === 0 ? 'It' : within.join('/')
    errors[field] = [...(errors[field] ?? []), `${place} ${message}.`]
  }
  return errors
}
