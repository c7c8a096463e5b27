import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2'
import { type Fields, hasField } from '../../../src/http/fields.ts'
import type { Case } from '../suite/cases/case.ts'
import type { CaseResponse } from '../suite/cases/run.ts'
import { type OpenClient, openSocket, type WireRequest } from '../suite/client.ts'
import { closedGate, type Gate } from '../suite/gate.ts'

/** A connection of HTTP/2, and the cases that it can send. */
export const overHttp2: { readonly open: OpenClient; runs(row: Case): boolean } = {
  open: async (place, limitMs) => {
    const socket = await openSocket(place, limitMs, 'h2')
    if (socket === undefined) return undefined
    const session = connect(`https://${place.endpoint.host}`, { createConnection: () => socket })
    // Each exchange says so itself.
    session.on('error', () => {})
    return {
      send: (request) => {
        const body = closedGate()
        return { head: closedGate(), body, rest: closedGate(), reply: send(session, request, body) }
      },
      close: () => session.destroy(),
    }
  },
  runs: ({ id, send: { fields = [] } = {}, manner = 'at-once' }) =>
    !NOT_IN_HTTP2.includes(id) &&
    !['connection', 'upgrade', 'expect'].some((name) => hasField(fields, name)) &&
    ['at-once', 'hints-first', 'service-leaves', 'service-cuts', 'again', 'looped'].includes(manner),
}

/** About spellings, phrases and framing that HTTP/2 does not have. */
const NOT_IN_HTTP2 = ['field/case', 'answer/field-case', 'answer/reason', 'body/chunked-kept']

function send(session: ClientHttp2Session, request: WireRequest, hasBody: Gate): Promise<CaseResponse> {
  return new Promise((resolve) => {
    const stream = session.request(toHeaders(request), { endStream: request.parts.length === 0 })
    let head: Pick<CaseResponse & { kind: 'response' }, 'status' | 'fields'> | undefined
    let body = ''
    let isEnded = false
    stream.on('response', (_fields, _flags, ...raw) => {
      const [fields] = raw as unknown as [Fields]
      head = { status: Number(fields[1]), fields: fields.slice(2) }
    })
    stream.on('data', (chunk: Buffer) => {
      body += chunk.toString('latin1')
      hasBody.open()
    })
    stream.on('end', () => {
      isEnded = !stream.aborted
    })
    stream.on('error', () => {})
    stream.on('close', () => {
      const isWhole = isEnded && stream.rstCode === constants.NGHTTP2_NO_ERROR
      if (head === undefined) resolve({ kind: 'none', code: 'HTTP/2' })
      else resolve({ kind: 'response', reason: '', ...head, body, end: isWhole ? 'complete' : 'cut' })
    })
    if (request.parts.length > 0) stream.end(request.parts.join(''), 'latin1')
  })
}

/** A field in several lines is a list. */
function toHeaders({ method, target, fields, parts, framing }: WireRequest): OutgoingHttpHeaders {
  const lines = new Map<string, string[]>()
  for (let at = 0; at < fields.length; at += 2) {
    const name = (fields[at] ?? '').toLowerCase()
    if (name !== 'host') lines.set(name, [...(lines.get(name) ?? []), fields[at + 1] ?? ''])
  }
  const authority = fields[fields.indexOf('Host') + 1]
  return {
    ':method': method,
    ':scheme': 'https',
    ':authority': authority,
    ':path': target,
    ...Object.fromEntries(
      [...lines].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
    ),
    ...(framing === 'length' && { 'content-length': String(parts.join('').length) }),
  }
}
