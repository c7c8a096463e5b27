import { type ReadEvent, readEvent } from './event.ts'
import type { HasSecret } from './url-secret.ts'
import { WebhookError, type WebhookErrorKind } from './webhook-error.ts'

/** One request, from any kind of server. */
export interface Delivery {
  readonly method: string
  /** What follows the question mark of the URL. */
  readonly query: string
  /** The value of a field, by its name in lower case. */
  readonly field: (name: string) => string | undefined
  /** `taken`: something else has read it. */
  readonly body: AsyncIterable<Uint8Array> | 'taken'
}

export interface ReceptionRules {
  readonly hasSecret: HasSecret
  readonly read: (body: unknown) => unknown
  readonly limitBytes: number
  readonly timeoutMs: number
}

export type TakenEvent = Exclude<ReadEvent, { readonly kind: 'malformed' }>

/** An event with its body as received, or why there is none. */
export type Received =
  | { readonly taken: TakenEvent; readonly raw: Uint8Array }
  | { readonly refused: WebhookError }

/**
 * Checks one delivery: the secret first, so that a sender without it learns nothing else, and the body last.
 */
export async function receive(delivery: Delivery, rules: ReceptionRules): Promise<Received> {
  const { method, query, field, body } = delivery
  if (!(await rules.hasSecret(query))) return refuse('secret')
  if (method !== 'POST') return refuse('method')
  if (!isPlainJson(field)) return refuse('content-type')
  if (Number(field('content-length') ?? 0) > rules.limitBytes) return refuse('too-large')
  if (body === 'taken') return refuse('taken')
  const raw = await readBoundedBody(body, rules)
  return typeof raw === 'string' ? refuse(raw) : parseEvent(raw, rules.read)
}

function parseEvent(raw: Uint8Array, read: (body: unknown) => unknown): Received {
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    return refuse('json')
  }
  const event = readOver(body, read)
  if (event.kind === 'malformed') return refuse('malformed', event.detail)
  return { taken: event, raw }
}

/** What the caller's `read` throws may quote the body, so it is dropped. */
function readOver(body: unknown, read: (body: unknown) => unknown): ReadEvent {
  try {
    return readEvent(read(body))
  } catch {
    return { kind: 'malformed', detail: 'read threw' }
  }
}

function refuse(kind: WebhookErrorKind | BodyFault, detail?: string): { readonly refused: WebhookError } {
  return { refused: new WebhookError(kind, detail === undefined ? {} : { detail }) }
}

/** RFC 9110 sections 8.3 and 8.4: JSON with any parameters, without content coding. */
function isPlainJson(field: Delivery['field']): boolean {
  const type = field('content-type')?.split(';')[0]?.trim().toLowerCase()
  const coding = field('content-encoding')?.trim().toLowerCase() ?? 'identity'
  return type === 'application/json' && coding === 'identity'
}

/** The answer to the sender, and the work to do after it. */
export interface Answer {
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
  /** Never rejects. */
  readonly afterwards: () => Promise<void>
}

/** @param outcome `taken` for an accepted event, else the error */
export function toAnswer(outcome: 'taken' | WebhookError, afterwards: () => Promise<void>): Answer {
  if (outcome === 'taken') return { status: 202, fields: {}, body: '', afterwards }
  const { kind, message } = outcome
  // The sender of an aborted body has left, but a server still needs an answer.
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

/** Why there is no body: it is too large, incomplete in time, or its sender left. */
export type BodyFault = 'too-large' | 'slow' | 'aborted'

/** Reads a body and never keeps more of it than the limit. It never rejects. */
export async function readBoundedBody(
  chunks: AsyncIterable<Uint8Array>,
  { limitBytes, timeoutMs }: { readonly limitBytes: number; readonly timeoutMs: number },
): Promise<Uint8Array | BodyFault> {
  const iterator = chunks[Symbol.asyncIterator]()
  const kept: Uint8Array[] = []
  let bytes = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'slow'>((resolve) => {
    timer = setTimeout(() => resolve('slow'), timeoutMs)
  })
  try {
    for (;;) {
      const step = await Promise.race([iterator.next().catch((): 'aborted' => 'aborted'), late])
      if (step === 'slow' || step === 'aborted') return step
      if (step.done) return new Uint8Array(await new Blob(kept).arrayBuffer())
      bytes += step.value.length
      if (bytes > limitBytes) return 'too-large'
      kept.push(step.value)
    }
  } finally {
    clearTimeout(timer)
    // Not awaited: it would wait for a chunk that may never arrive.
    iterator.return?.()?.catch(() => {})
  }
}
