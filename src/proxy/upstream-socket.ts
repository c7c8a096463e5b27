import type { Socket } from 'node:net'

/** What is known of one connection to the service beside undici's own books. */
export interface ConnectionLedger {
  /** Requests that were written to the current socket before the one at hand. */
  requestsBefore: number
  /** Octets of the answer at hand that have arrived. */
  answerOctets: number
  /** Whether the next octet to arrive begins a head. */
  position: 'head' | 'beyond'
}

/**
 * Mends two things that undici 7 does with a socket, both seen in its lib/dispatcher/client-h1.js:
 *
 * - It treats an unasked `100 Continue` as a broken answer. RFC 9110 section 15.2 lets a client ignore a 1xx that it
 *   does not expect, and undici does so for 102: the three digits are rewritten before its parser sees them.
 * - It takes a connection reset during a close-delimited body for the regular end, which would make a truncated answer
 *   look complete. It tells a reset by its code, so the code is changed.
 */
export function mendSocket(socket: Socket, ledger: ConnectionLedger): void {
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'EPIPE'
  })
  const read = socket.read.bind(socket)
  let held: Buffer | undefined
  socket.read = (size?: number) => {
    let chunk: Buffer | null = read(size)
    if (chunk === null) return null
    ledger.answerOctets += chunk.length
    if (ledger.position === 'beyond') return chunk
    if (held !== undefined) chunk = Buffer.concat([held, chunk])
    held = undefined
    if (chunk.length < STATUS_END && CONTINUE.startsWith(chunk.toString('latin1'))) {
      held = chunk
      return null
    }
    ledger.position = rewriteContinue(chunk)
    return chunk
  }
}

/** Rewrites each `100` among the informational heads that a chunk begins with, and tells where the chunk ends. */
function rewriteContinue(chunk: Buffer): ConnectionLedger['position'] {
  let headAt = 0
  while (headAt < chunk.length) {
    const start = chunk.toString('latin1', headAt, headAt + STATUS_END)
    if (!/^HTTP\/1\.[01] 1[0-9]{2}$/.test(start)) return 'beyond'
    if (start.endsWith('100')) chunk[headAt + STATUS_END - 1] = DIGIT_TWO
    const headEnd = chunk.indexOf('\r\n\r\n', headAt)
    if (headEnd === -1) return 'beyond'
    headAt = headEnd + 4
  }
  return 'head'
}

const CONTINUE = 'HTTP/1.1 100'
const STATUS_END = CONTINUE.length
const DIGIT_TWO = 0x32
