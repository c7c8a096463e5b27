import { readEvent, type TakenEvent } from './event.ts'
import type { HasSecret } from './url-secret.ts'
import { WebhookError } from './webhook-error.ts'

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

/**
 * Checks one delivery: the secret first, so that a sender without it learns nothing else, and the body last.
 *
 * @returns the event with its body as received, or why there is none
 */
export async function receive(
  { method, query, field, body }: Delivery,
  rules: ReceptionRules,
): Promise<{ readonly taken: TakenEvent; readonly raw: Uint8Array } | WebhookError> {
  if (!rules.hasSecret(query)) return new WebhookError('secret')
  if (method !== 'POST') return new WebhookError('method')
  if (!isPlainJson(field)) return new WebhookError('content-type')
  if (Number(field('content-length') ?? 0) > rules.limitBytes) return new WebhookError('too-large')
  if (body === 'taken') return new WebhookError('taken')
  const raw = await readBoundedBody(body, rules)
  if (typeof raw === 'string') return new WebhookError(raw)
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    return new WebhookError('json')
  }
  const taken = readOver(json, rules.read)
  return 'fault' in taken ? new WebhookError('malformed', { detail: taken.fault }) : { taken, raw }
}

/** What the caller's `read` throws may quote the body, so it is dropped. */
function readOver(body: unknown, read: ReceptionRules['read']): ReturnType<typeof readEvent> {
  try {
    return readEvent(read(body))
  } catch {
    return { fault: 'read threw' }
  }
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

/** Reads a body and never keeps more of it than the limit. Never rejects: it may be incomplete, or its sender have left. */
async function readBoundedBody(
  chunks: AsyncIterable<Uint8Array>,
  { limitBytes, timeoutMs }: ReceptionRules,
): Promise<Uint8Array | 'too-large' | 'slow' | 'aborted'> {
  const iterator = chunks[Symbol.asyncIterator]()
  const join = () => joinBody(iterator, limitBytes).catch((): 'aborted' => 'aborted')
  try {
    return await within(timeoutMs, join).catch((): 'slow' => 'slow')
  } finally {
    // Not awaited: it would wait for a chunk that may never arrive.
    iterator.return?.()?.catch(() => {})
  }
}

/** Does the work; rejects if it takes longer. */
export async function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
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

/** Copies each chunk into one array: kept and waited for one by one, 200,000 of one octet took 114 MB. */
async function joinBody(
  chunks: AsyncIterator<Uint8Array>,
  limitBytes: number,
): Promise<Uint8Array | 'too-large'> {
  let body = new Uint8Array(Math.min(limitBytes, 4_096))
  let bytes = 0
  for (;;) {
    const step = await chunks.next()
    if (step.done) return body.subarray(0, bytes)
    const { length } = step.value
    if (bytes + length > limitBytes) return 'too-large'
    if (bytes + length > body.length) {
      const larger = new Uint8Array(Math.min(limitBytes, Math.max(bytes + length, 2 * body.length)))
      larger.set(body)
      body = larger
    }
    body.set(step.value, bytes)
    bytes += length
  }
}
