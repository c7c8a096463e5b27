import { type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { MOST_HEAD, type NoResponse, type ProbeReply, type ProbeRequest } from './probe.ts'
import { type BoundedBody, decodeBody, openBody } from './response-body.ts'

interface ResponseLimits {
  readonly headBytes: number
  readonly bodyBytes: number
  /** Each takes time, however small it is. */
  readonly bodyPieces?: number
}

/** One request on an open connection, which is then closed. Never rejects: what doesn't end is cut, and what isn't HTTP is a reply. */
export type Exchange = (
  socket: Socket,
  request: ProbeRequest,
  limits: ResponseLimits,
  signal: AbortSignal,
) => Promise<ProbeReply>

/** The fields include Host and framing. */
export const exchangeOnce: Exchange = (socket, { method, target, fields, body }, limits, signal) =>
  new Promise((resolve) => {
    const settle = (reply: ProbeReply) => {
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
    // By default Node silently drops fields past a number of lines.
    outgoing.maxHeadersCount = 0
    // Node reads any number of interim responses; they count as part of the head.
    outgoing.on('information', () => {
      if (socket.bytesRead > limits.headBytes)
        settle({ kind: 'none', cause: 'head-too-large', code: 'INTERIM_ANSWERS' })
    })
    let isBegun = false
    const abort = () => settle({ kind: 'none', cause: 'timeout', code: 'timeout', isBegun })
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    outgoing.on('error', (error: NodeJS.ErrnoException) => settle(classifyError(error, socket)))
    outgoing.on('upgrade', (incoming: IncomingMessage) => settle(toResponse(incoming, openBody(0))))
    outgoing.on('response', (incoming) => {
      isBegun = true
      if (incoming.rawHeaders.length > 2 * MOST_HEAD.lines) {
        settle({ kind: 'none', cause: 'head-too-large', code: 'HEADER_LINES' })
      } else void collect(incoming, limits).then(settle)
    })
    if (body === undefined) outgoing.end()
    else outgoing.end(body, 'latin1')
  })

/** Once the head has arrived there is a response, even if the connection ends within its body. */
function collect(incoming: IncomingMessage, limits: ResponseLimits): Promise<ProbeReply> {
  return new Promise((resolve) => {
    const body = openBody(limits.bodyBytes, limits.bodyPieces)
    let isCut = true
    const settle = () => {
      incoming.off('data', keep)
      resolve(toResponse(incoming, body, isCut))
    }
    const finish = () => {
      isCut = false
      settle()
    }
    const keep = (chunk: Buffer) => {
      if (!body.add(chunk)) finish()
    }
    incoming.on('data', keep).once('end', finish).once('error', settle).once('close', settle)
  })
}

function toResponse(incoming: IncomingMessage, body: BoundedBody, isCut = false): ProbeReply {
  const { statusCode = 0, rawHeaders: fields } = incoming
  return { kind: 'response', status: statusCode, fields, ...decodeBody(body, fields, isCut) }
}

function classifyError({ code = 'unknown' }: NodeJS.ErrnoException, socket: Socket): NoResponse {
  if (code === 'HPE_HEADER_OVERFLOW') return { kind: 'none', cause: 'head-too-large', code }
  if (code.startsWith('HPE_')) return { kind: 'none', cause: 'malformed', code }
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return { kind: 'none', cause: 'tls', code }
  // With TLS, bytesRead includes the handshake, so it says nothing about a response.
  const hasBegun = !(socket instanceof TLSSocket) && socket.bytesRead > 0
  return { kind: 'none', cause: hasBegun ? 'malformed' : 'closed', code }
}
