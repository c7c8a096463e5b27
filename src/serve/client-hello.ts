import type { Server } from 'node:https'
import type { Socket } from 'node:net'

/** What the first octets of a connection are, for TLS. `unfinished` if more are needed to tell. */
export type TlsBeginning = 'client-hello' | 'unfinished' | 'unusable'

/**
 * Judges the header of the first handshake message, which may be spread over several records (RFC 8446, sections 4 and
 * 5.1). Other alerts and messages can't begin a connection.
 */
export function judgeBeginning(octets: Buffer): TlsBeginning {
  let header = Buffer.alloc(0)
  for (let record = 0; header.length < HEADER_OCTETS; ) {
    if (record < octets.length && octets[record] !== HANDSHAKE) return 'unusable'
    if (octets.length < record + RECORD_HEADER_OCTETS) return 'unfinished'
    const end = record + RECORD_HEADER_OCTETS + octets.readUInt16BE(record + 3)
    if (end === record + RECORD_HEADER_OCTETS) return 'unusable'
    header = Buffer.concat([header, octets.subarray(record + RECORD_HEADER_OCTETS, end)])
    if (header.length > 0 && header[0] !== CLIENT_HELLO) return 'unusable'
    if (header.length < HEADER_OCTETS && octets.length < end) return 'unfinished'
    record = end
  }
  return header.readUIntBE(1, 3) > MOST_HELLO_OCTETS ? 'unusable' : 'client-hello'
}

/**
 * Lets TLS begin only once a connection has sent the header of a ClientHello of usual size. OpenSSL takes all the memory
 * that a message announces as soon as it has read that header: up to 160 KB for 47 octets. A connection that begins in
 * another way is closed, and so is one that has not begun within the time.
 */
export function awaitClientHello(server: Server, timeoutMs: number): void {
  const beginTls = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), timeoutMs)
    const clear = () => clearTimeout(timer)
    const ignore = () => {}
    let octets = Buffer.alloc(0)
    const judge = () => {
      const more: Buffer | null = socket.read()
      if (more === null) return
      octets = Buffer.concat([octets, more])
      const beginning = judgeBeginning(octets)
      if (beginning === 'unfinished') return
      clear()
      if (beginning === 'unusable') return void socket.destroy()
      socket.off('readable', judge).off('close', clear).off('error', ignore)
      socket.unshift(octets)
      for (const listener of beginTls) listener.call(server, socket)
    }
    socket.on('error', ignore).on('close', clear).on('readable', judge)
  })
}

const RECORD_HEADER_OCTETS = 5
const HEADER_OCTETS = 4
const HANDSHAKE = 22
const CLIENT_HELLO = 1
/** Browsers send up to 2 KiB, with a key exchange that resists quantum computers. */
const MOST_HELLO_OCTETS = 16_384
