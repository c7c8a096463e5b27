import { randomUUID } from 'node:crypto'
import type { Peer } from '../forward/downstream.ts'
import { type Fields, valuesOf } from '../http/fields.ts'

/**
 * The id of an exchange in the log and in our own answers: the X-Request-Id of a trusted proxy, if it is one value of 8
 * to 64 harmless characters. Otherwise it is made when it is needed, which it is not without an access log.
 */
export function chooseRequestId(fields: Fields, peer: Peer): () => string {
  const [given = '', ...others] = peer.isTrusted ? valuesOf(fields, 'x-request-id') : []
  let id = others.length === 0 && /^[A-Za-z0-9_@-]{8,64}$/.test(given) ? given : undefined
  return () => {
    id ??= randomUUID()
    return id
  }
}

/** The trace that a request belongs to: of `traceparent`, as W3C Trace Context has it, its second part. */
export function parseTraceId(fields: Fields): string | undefined {
  const [given = '', ...others] = valuesOf(fields, 'traceparent')
  const [, version, traceId, rest] =
    /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/.exec(given) ?? []
  return others.length > 0 || (version === '00' && rest !== undefined) ? undefined : traceId
}
