import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { endResponse, sendBodiesApart, writeHead } from './reserved-response.ts'

/**
 * Checks, when a proxy is opened, that Node treats responses as `reserved-response.ts` expects: two responses are
 * written into memory and compared octet by octet. This takes about a millisecond.
 *
 * If a body can no longer be appended to its head, bodies are sent separately, which is correct but slower.
 *
 * @throws Error if fields are wrong: responses would lose Set-Cookie lines
 */
export function checkResponses(): void {
  if (FRAMINGS.every(comesOutRight)) return
  sendBodiesApart()
  if (FRAMINGS.every(comesOutRight)) return
  throw new Error(
    `Node ${process.version} does not write responses the way this version of continuation-point expects, so they would be ` +
      'damaged. Use a release of Node that the documentation names, or a newer continuation-point.',
  )
}

function comesOutRight({ field, body }: Framing): boolean {
  const sink = new Sink()
  // A response uses only the stream methods of its socket.
  const socket = sink as Duplex as Socket
  const incoming = new IncomingMessage(socket)
  incoming.httpVersionMajor = 1
  incoming.httpVersionMinor = 1
  const outgoing = new ServerResponse(incoming)
  outgoing.assignSocket(socket)
  // As a framework does. Even after the field is removed, what is left changes how Node writes a field list.
  outgoing.setHeader('X-Site', 'yes')
  outgoing.setHeader('Set-Cookie', 'site=1')
  outgoing.removeHeader('X-Site')
  writeHead(outgoing, 200, REASON, [...FIELDS, ...field])
  endResponse(outgoing, Buffer.from(BODY, 'latin1'))
  return sink.octets === `${HEAD}${field.join(': ')}\r\nConnection: keep-alive\r\n\r\n${body}`
}

/** A stream that records what is written. */
class Sink extends Duplex {
  octets = ''

  override _write(chunk: Buffer | string, encoding: BufferEncoding, callback: () => void): void {
    this.octets +=
      typeof chunk === 'string' ? Buffer.from(chunk, encoding).toString('latin1') : chunk.toString('latin1')
    callback()
  }
}

interface Framing {
  readonly field: readonly [string, string]
  /** The body as it must appear on the wire. */
  readonly body: string
}

const REASON = 'D\xe9j\xe0 vu'
const BODY = 'caf\xe9'
const FIELDS = [
  ['set-cookie', 'a=1'],
  ['X-Octets', 'caf\xe9'],
  ['Set-Cookie', 'b=2'],
  ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
].flat()
const HEAD =
  `HTTP/1.1 200 ${REASON}\r\nset-cookie: a=1\r\nX-Octets: caf\xe9\r\nSet-Cookie: b=2\r\n` +
  'Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n'
const FRAMINGS: readonly Framing[] = [
  { field: ['Content-Length', '4'], body: BODY },
  { field: ['Transfer-Encoding', 'chunked'], body: `4\r\n${BODY}\r\n0\r\n\r\n` },
]
