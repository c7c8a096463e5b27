import type { WebhookError } from './webhook-error.ts'

/** What the sender gets, and what is done once it has it. */
export interface Answer {
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
  /** Never rejects. */
  readonly afterwards: () => Promise<void>
}

/** @param outcome the event was taken, or the error that says why not */
export function toAnswer(outcome: 'taken' | WebhookError, afterwards: () => Promise<void>): Answer {
  if (outcome === 'taken') return { status: 202, fields: {}, body: '', afterwards }
  const { kind, message } = outcome
  // Nobody is left to read the answer to a sender who left; a server wants one all the same.
  const status = outcome.status ?? 400
  return {
    status,
    fields: {
      'content-type': 'application/problem+json',
      ...(kind === 'method' ? { allow: 'POST' } : {}),
      ...(kind === 'busy' ? { 'retry-after': '1' } : {}),
    },
    body: JSON.stringify({ status, title: message }),
    afterwards,
  }
}
