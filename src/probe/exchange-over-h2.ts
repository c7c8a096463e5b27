import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2'
import type { Fields } from '../http/fields.ts'
import type { Exchange } from './exchange-once.ts'
import { MOST_HEAD, type ProbeReply } from './probe.ts'
import { decodeBody, openBody } from './response-body.ts'

/**
 * As browsers send it: each cookie is a field line of its own (RFC 9113 section 8.2.3). The fields have `:authority` in place
 * of Host. Of several lines of a field but Set-Cookie, Node gives one.
 */
export const exchangeOverH2: Exchange = (socket, { method, target, fields, body }, limits, signal) =>
  new Promise((resolve) => {
    const settle = (reply: ProbeReply) => {
      resolve(reply)
      session.destroy()
      socket.destroy()
    }
    const session: ClientHttp2Session = connect(ANY_ORIGIN, {
      createConnection: () => socket,
      settings: { enablePush: false },
      maxHeaderListPairs: MOST_HEAD.lines,
    })
    const fail = ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      // So Node says that there are too many fields. A service that limits requests ends the session with the same code.
      const isOver =
        code === 'ERR_HTTP2_STREAM_ERROR' && stream.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM
      settle({ kind: 'none', cause: isOver || code === TOO_MANY_ORIGINS ? 'head-too-large' : 'closed', code })
    }
    // What may come before the response counts as part of its head. Node 20 keeps all origins (RFC 8336).
    const countEarly = () => {
      if (socket.bytesRead > limits.headBytes)
        settle({ kind: 'none', cause: 'head-too-large', code: 'INTERIM_ANSWERS' })
    }
    let isBegun = false
    const abort = () => settle({ kind: 'none', cause: 'timeout', code: 'timeout', isBegun })
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    session.on('error', fail).on('origin', countEarly)
    const head = { ':method': method, ':path': target, ...toHeaders(fields) }
    const stream = session.request(head, { endStream: body === undefined })
    stream
      .on('error', fail)
      .on('headers', countEarly)
      .once('close', () => fail({ name: '', message: '', code: 'ECONNRESET' }))
    stream.once('response', ({ ':status': status = 0, ...headers }) => {
      isBegun = true
      const kept = openBody(limits.bodyBytes, limits.bodyPieces)
      const finish = (isCut: boolean) => {
        const answered = toFields(headers)
        settle({ kind: 'response', status, fields: answered, ...decodeBody(kept, answered, isCut) })
      }
      stream.on('data', (chunk: Buffer) => {
        if (!kept.add(chunk)) finish(false)
      })
      stream.once('end', () => finish(stream.rstCode !== 0)).once('aborted', () => finish(true))
    })
    if (body !== undefined) stream.end(body, 'latin1')
  })

function toHeaders(fields: Fields): Readonly<Record<string, string[]>> {
  const headers = new Map<string, string[]>()
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at]?.toLowerCase() ?? ''
    const value = fields[at + 1] ?? ''
    const values = name === 'cookie' ? value.split('; ') : [value]
    headers.set(name, [...(headers.get(name) ?? []), ...values])
  }
  return Object.fromEntries(headers)
}

function toFields(headers: IncomingHttpHeaders): Fields {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each) => [name, String(each)]),
  )
}

/** Node wants one; it is in none of the requests. */
const ANY_ORIGIN = 'https://localhost'
const TOO_MANY_ORIGINS = 'ERR_HTTP2_TOO_MANY_ORIGINS'
