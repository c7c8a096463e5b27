import { valuesOf } from '../../http/fields.ts'
import type { ProbeReply, ProbeResponse } from '../../probe/probe.ts'

/**
 * Whether two replies look like the same answer: same status, media type and text. Digits and long tokens in the text are
 * ignored, since times and nonces differ in every answer.
 */
export function isAlike(a: ProbeReply, b: ProbeReply): boolean {
  return isSameKind(a, b) && a.kind === 'response' && b.kind === 'response' && toText(a) === toText(b)
}

/** Whether two replies have the same status and media type. */
export function isSameKind(a: ProbeReply, b: ProbeReply): boolean {
  if (a.kind !== 'response' || b.kind !== 'response') return false
  return a.status === b.status && toMediaType(a) === toMediaType(b)
}

function toMediaType({ fields }: ProbeResponse): string | undefined {
  return valuesOf(fields, 'content-type')[0]?.split(';')[0]?.trim().toLowerCase()
}

function toText({ body }: ProbeResponse): string {
  return body
    .replace(/[\w+/=-]{20,}/g, '')
    .replace(/\d+/g, '')
    .replace(/\s+/g, ' ')
}
