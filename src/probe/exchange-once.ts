import { type ClientRequest, type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { openBody } from './bounded-body.ts'
import type { NoResponse, ProbeRequest, Reply } from './probe.ts'

export interface ResponseLimits {
  readonly headBytes: number
  readonly bodyBytes: number
}

/**
 * Sends one request on an open connection and reads one reply; the connection is closed then. Never rejects: a reply
 * that never ends is cut, one that is no HTTP is named so.
 *
 * @param fields the whole field section, Host and framing included
 */
export function exchangeOnce(
  socket: Socket,
  { method, target, fields, body }: ProbeRequest,
  limits: ResponseLimits,
  signal: AbortSignal,
): Promise<Reply> {
  return new Promise((resolve) => {
    const settle = (reply: Reply) => {
      resolve(reply)
      socket.destroy()
    }
    const outgoing = startRequest({
      createConnection: () => socket,
      method,
      path: target,
      headers: [...fields],
      setHost: false,
      maxHeaderSize: limits.headBytes,
    })
    // Past its default number of lines Node drops fields without a word; the size is limited anyway.
    outgoing.maxHeadersCount = 0
    // Node reads one interim answer after the other, and they are part of the head.
    outgoing.on('information', () => {
      if (socket.bytesRead > limits.headBytes) {
        settle({ kind: 'none', cause: 'head-too-large', code: 'INTERIM_ANSWERS' })
      }
    })
    const abort = () => settle({ kind: 'none', cause: 'timeout', code: 'timeout' })
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    outgoing.on('error', (error: NodeJS.ErrnoException) => settle(toNoResponse(error, socket)))
    outgoing.on('upgrade', (incoming: IncomingMessage) => settle(toAnswer(incoming, '', 'complete')))
    outgoing.on('response', (incoming) => void collect(incoming, limits.bodyBytes).then(settle))
    end(outgoing, body)
  })
}

function end(outgoing: ClientRequest, body: string | undefined): void {
  if (body === undefined) outgoing.end()
  else outgoing.end(body, 'latin1')
}

/** The reply counts as given once its head is there; the deadline may still cut it. */
function collect(incoming: IncomingMessage, limitBytes: number): Promise<Reply> {
  return new Promise((resolve) => {
    const body = openBody(limitBytes)
    const settle = (end: 'complete' | 'cut') => {
      incoming.off('data', keep)
      resolve(toAnswer(incoming, body.toString('utf8'), end))
    }
    const keep = (chunk: Buffer) => {
      if (body.add(chunk) === 'full') settle('cut')
    }
    incoming
      .on('data', keep)
      .once('end', () => settle('complete'))
      .once('error', () => settle('cut'))
      .once('close', () => settle('cut'))
  })
}

function toAnswer(incoming: IncomingMessage, body: string, end: 'complete' | 'cut'): Reply {
  return {
    kind: 'response',
    status: incoming.statusCode ?? 0,
    fields: incoming.rawHeaders,
    body,
    complete: end === 'complete',
  }
}

function toNoResponse({ code = 'unknown' }: NodeJS.ErrnoException, socket: Socket): NoResponse {
  if (code === 'HPE_HEADER_OVERFLOW') return { kind: 'none', cause: 'head-too-large', code }
  if (code.startsWith('HPE_')) return { kind: 'none', cause: 'malformed', code }
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return { kind: 'none', cause: 'tls', code }
  // On TLS the octets of the handshake count too, so they tell nothing of an answer.
  const hasBegun = !(socket instanceof TLSSocket) && socket.bytesRead > 0
  return { kind: 'none', cause: hasBegun ? 'malformed' : 'closed', code }
}
