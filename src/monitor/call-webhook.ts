import type { Secret } from '../config/secret.ts'
import { type Probe, type ProbeReply, parseEndpoint } from '../probe/probe.ts'

/** How a call ended. The reason is a status or a code of the probe, never a part of the URL or of the answer. */
export type Delivery =
  | { readonly kind: 'delivered'; readonly attempts: number }
  | { readonly kind: 'failed'; readonly attempts: number; readonly reason: string }

/**
 * Posts JSON to a webhook. Without an answer, or after one that asks to come back later, it tries twice more, with a
 * pause before each. Only 2xx is success; redirects are not followed, since they could lead anywhere.
 *
 * @param probe sets the deadline of each attempt and how much of an answer is read
 */
export async function callWebhook(url: Secret, json: string, probe: Probe): Promise<Delivery> {
  let reply = await attempt(url, json, probe)
  let attempts = 1
  for (const pauseMs of PAUSES_MS) {
    if (!mayPass(reply)) break
    await probe.pause(pauseMs)
    reply = await attempt(url, json, probe)
    attempts += 1
  }
  if (reply.kind === 'response' && reply.status >= 200 && reply.status < 300)
    return { kind: 'delivered', attempts }
  return { kind: 'failed', attempts, reason: reply.kind === 'response' ? `${reply.status}` : reply.code }
}

/** Goes on to the next address if one can't be reached. */
async function attempt(url: Secret, json: string, probe: Probe): Promise<ProbeReply> {
  const { pathname, search } = new URL(url.reveal())
  const endpoint = parseEndpoint(url.reveal())
  const resolution = await probe.resolve(endpoint)
  if (resolution.kind !== 'resolved') return { kind: 'none', cause: 'unroutable', code: resolution.code }
  let reply: ProbeReply = { kind: 'none', cause: 'unroutable', code: 'ENODATA' }
  for (const address of resolution.addresses.slice(0, MOST_ADDRESSES)) {
    reply = await probe.send(endpoint, address, {
      method: 'POST',
      target: `${pathname}${search}`,
      fields: ['Content-Type', 'application/json', 'Accept', '*/*'],
      // The probe sends a body with one byte for each character.
      body: Buffer.from(json, 'utf8').toString('latin1'),
    })
    if (reply.kind === 'response' || !ABSENCES.has(reply.cause)) break
  }
  return reply
}

/** Whether another attempt may succeed. */
function mayPass(reply: ProbeReply): boolean {
  return reply.kind === 'none' || reply.status >= 500 || [408, 425, 429].includes(reply.status)
}

const PAUSES_MS = [1_000, 5_000] as const
const MOST_ADDRESSES = 4
const ABSENCES: ReadonlySet<string> = new Set(['refused', 'unroutable'])
