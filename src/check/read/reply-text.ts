import { valuesOf } from '../../http/fields.ts'
import type { NoResponse, ProbeReply } from '../../probe/probe.ts'
import { toShownText } from './shown-text.ts'

/**
 * Whether a reply says something about the front end: a response does, and so does a connection that was closed or data
 * that is not HTTP. A timeout or a missing route on this machine doesn't.
 */
export function isConclusive(reply: ProbeReply): boolean {
  return reply.kind === 'response' || TELLING.has(reply.cause)
}

/** A reply as a clause: "the answer was 404, text/html". */
export function toReplyText(reply: ProbeReply): string {
  if (reply.kind === 'none') return NO_ANSWER[reply.cause]
  const [type] = valuesOf(reply.fields, 'content-type')
  return `the answer was ${reply.status}${type === undefined ? '' : `, ${toShownText(type)}`}`
}

/** The same for evidence. */
export function toReplyEvidence(reply: ProbeReply): Readonly<Record<string, unknown>> {
  if (reply.kind === 'none')
    return { arrived: NO_ANSWER[reply.cause], noAnswer: reply.cause, code: reply.code }
  const shown = (name: string) => valuesOf(reply.fields, name).slice(0, 3).map(toShownText)
  const { status } = reply
  const [contentType, server] = [shown('content-type'), shown('server')]
  return { arrived: [status, ...contentType].join(', '), status, contentType, server }
}

const TELLING: ReadonlySet<NoResponse['cause']> = new Set(['closed', 'malformed', 'head-too-large', 'tls'])

const NO_ANSWER: Readonly<Record<NoResponse['cause'], string>> = {
  refused: 'the connection was refused',
  tls: 'the TLS connection failed',
  timeout: 'no answer came in time',
  unresolved: 'the host does not resolve',
  unroutable: 'this machine has no route to it',
  closed: 'the connection was closed without an answer',
  malformed: "the answer isn't HTTP",
  'head-too-large': 'the head of the answer is larger than 64 KiB',
  'rate-limited': 'a rate limit turned it away (429, or 503 with Retry-After)',
  'gave-up': 'it was not sent, since too many earlier requests went unanswered',
}
