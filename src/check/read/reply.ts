import { valuesOf } from '../../http/fields.ts'
import { redactUrl } from '../../http/url.ts'
import { MOST_HEAD, type NoResponse, type ProbeReply, type ProbeResponse } from '../../probe/probe.ts'
import { cutText, escapeControls } from '../../text/escape.ts'
import { oncePer } from '../by-key.ts'

/** Whether it says something about the front end, as all do that reach it; a timeout or a missing route doesn't. */
export function isConclusive(reply: ProbeReply): boolean {
  return reply.kind === 'response' || TELLING.has(reply.cause)
}

/** The values of a field, by its lower-case name; none if there is no response. */
export function valuesIn(reply: ProbeReply | undefined, name: string): readonly string[] {
  return reply?.kind === 'response' ? valuesOf(reply.fields, name) : []
}

/** A reply as a clause: "the answer was 404, text/html". */
export function describeReply(reply: ProbeReply): string {
  if (reply.kind === 'none' && reply.waitedMs !== undefined) {
    const within = `within ${Number((reply.waitedMs / 1000).toFixed(1))} s`
    return reply.isBegun
      ? `the answer begins, but does not end ${within}`
      : `the connection is accepted, but no answer comes ${within}`
  }
  if (reply.kind === 'none') return NO_ANSWER[reply.cause]
  const [type] = valuesIn(reply, 'content-type')
  const fault = reply.fault === undefined ? '' : `; ${escapeAndCut(reply.fault)}`
  return `the answer was ${reply.status}${type === undefined ? '' : `, ${escapeAndCut(type)}`}${fault}`
}

/** The same for evidence. */
export function evidenceOf(reply: ProbeReply): Readonly<Record<string, unknown>> {
  if (reply.kind === 'none') return { arrived: describeReply(reply), noAnswer: reply.cause, code: reply.code }
  const shown = (name: string) => valuesIn(reply, name).slice(0, 3).map(escapeAndCut)
  const { status, body } = reply
  const [contentType, server] = [shown('content-type'), shown('server')]
  const title = /<title[^>]{0,100}>\s*([^<]{1,200})/i.exec(body.slice(0, 10_000))?.[1]?.trim()
  return {
    arrived: [status, ...contentType].join(', '),
    status,
    contentType,
    title: title && escapeAndCut(title),
    server,
    fields: TELLING_FIELDS.flatMap((name) => shown(name).map((value) => `${name}: ${value}`)),
  }
}

/** Same status, media type and beginning, but for digits and long tokens, since times and nonces differ in every answer. */
export function isAlike(a: ProbeReply | undefined, b: ProbeReply | undefined): boolean {
  if (a?.kind !== 'response' || b?.kind !== 'response') return false
  return isSameKind(a, b) && readConstantText(a) === readConstantText(b)
}

/** Whether two replies have the same status and media type. */
export function isSameKind(a: ProbeReply | undefined, b: ProbeReply | undefined): boolean {
  if (a?.kind !== 'response' || b?.kind !== 'response') return false
  return a.status === b.status && readMediaType(a) === readMediaType(b)
}

export function isRefusal(reply: ProbeReply | undefined): boolean {
  return reply?.kind === 'response' && [401, 403].includes(reply.status)
}

function readMediaType(reply: ProbeReply): string | undefined {
  return valuesIn(reply, 'content-type')[0]?.split(';')[0]?.trim().toLowerCase()
}

const readConstantText = oncePer(({ body }: ProbeResponse) =>
  body
    .slice(0, READ_CHARACTERS)
    // Looks for the end of a word from its beginning only.
    .replace(/(?<![\w+/=-])[\w+/=-]{20,}/g, '')
    .replace(/\d+/g, '')
    .replace(/\s+/g, ' '),
)

/** By which an answer says who gave it, beside Server. */
const TELLING_FIELDS = ['via', 'cf-mitigated', 'x-cache', 'x-powered-by'] as const

/** How much of a body is read, but for the stand-in's: hostile answers, compared many times, could hold up the check. */
export const READ_CHARACTERS = 16_384

const TELLING: ReadonlySet<NoResponse['cause']> = new Set(['closed', 'malformed', 'head-too-large', 'tls'])

export const NO_ANSWER: Readonly<Record<NoResponse['cause'], string>> = {
  refused: 'the connection was refused',
  tls: 'the TLS connection failed',
  timeout: 'no answer came in time',
  unresolved: 'the host does not resolve',
  unroutable: 'this machine has no route to it',
  closed: 'the connection was closed without an answer',
  malformed: "the answer isn't HTTP",
  'head-too-large': `the head of the answer is larger than ${MOST_HEAD.bytes / 1024} KiB or ${MOST_HEAD.lines} lines`,
  'rate-limited': 'a rate limit turned it away (429, or 503 with Retry-After)',
  'gave-up': 'it was not sent, since earlier answers took too long',
}

/** A text from the network as a finding may show it: control characters escaped, cut at 200 characters. */
export function escapeAndCut(text: string): string {
  return escapeControls(cutText(text, SHOWN_CHARACTERS))
}

const SHOWN_CHARACTERS = 200

/** A URL from the network, as a finding may show it. */
export function redactAddress(url: string): string {
  return escapeAndCut(redactUrl(url))
}

/** With a mark in place of the value. Without an equals sign all is value (RFC 6265bis section 5.6). */
export function withoutCookieValue(line: string, toMark: (value: string) => string): string {
  return line.replace(/^([^;=]*=)?([^;]*)/, (_, name = '', value = '') => `${name}${toMark(value)}`)
}
