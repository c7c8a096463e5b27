import type { Socket } from 'node:net'
import type { FailureKind } from '../../forward/failure.ts'
import { parseAnswerStart } from '../answer-start.ts'

/** What is known of one connection to the service beside undici's own books. */
export interface ConnectionLedger {
  readonly socket: Socket
  /** Requests that were written to it, the one at hand included. */
  requests: number
  /** Octets of the answer at hand that have arrived. */
  answerOctets: number
  /** Informational heads before the answer at hand. */
  informational: number
  /** Whether the final status line is still to come. */
  position: 'start' | 'beyond'
  /** Reason phrase of the answer at hand, octet for octet. */
  reason: string
  /** `paused` while nobody can take more octets. */
  flow: 'open' | 'paused'
  /** How the service let go; undici takes either for the end of an answer without framing. */
  ending: 'none' | 'end' | 'reset'
}

/**
 * How connections to the service read: out of one buffer of the process, from which what arrived is copied. Node's own
 * way takes 64 KiB anew for every arrival and goes on reading while a `Socket` is paused, so that a client who does not
 * read held three such pieces.
 */
export const READING = {
  onread: {
    buffer: Buffer.allocUnsafeSlow(32_768),
    callback(this: Socket, count: number, octets: Uint8Array): boolean {
      return this.push(Buffer.from(octets.subarray(0, count)))
    },
  },
  highWaterMark: 16_384,
}

/** Something that the service did wrong and that undici would not see, or would call by another name. */
export class AnswerFault extends Error {
  readonly kind: FailureKind
  readonly code: string

  constructor(kind: FailureKind, code: string) {
    super('The service broke HTTP')
    this.name = 'AnswerFault'
    this.kind = kind
    this.code = code
  }
}

/**
 * Stands between a socket and undici 7, whose reading (lib/dispatcher/client-h1.js) has gaps:
 *
 * - Informational heads never reach it: it breaks the connection at an unasked 100, does not count the others, and
 *   takes 101 without an Upgrade field for one of them.
 * - The reason phrase is taken down here, whole and as latin1; it keeps the last piece, as UTF-8.
 * - A reset during a close-delimited body is no end, which would make a truncated answer look complete. undici tells a
 *   reset by its code, so the code is changed. Up to version 20 Node reports a reset that comes together with data as
 *   an end; but then the connection has no remote address any more.
 * - Reading pauses here, by giving nothing: its own pause throws where the end arrives while it lasts.
 */
export function mendSocket(socket: Socket): ConnectionLedger {
  const ledger: ConnectionLedger = {
    socket,
    requests: 0,
    answerOctets: 0,
    informational: 0,
    position: 'beyond',
    reason: '',
    flow: 'open',
    ending: 'none',
  }
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'EPIPE'
  })
  socket.prependListener('end', () => {
    ledger.ending = socket.remoteAddress === undefined ? 'reset' : 'end'
  })
  const { read } = socket
  let held: Buffer | undefined
  socket.read = (size?: number) => {
    if (size === 0) return read.call(socket, 0)
    if (ledger.flow === 'paused') return null
    const chunk: Buffer | null = read.call(socket, size)
    if (chunk === null) return null
    ledger.answerOctets += chunk.length
    if (ledger.position === 'beyond') return chunk
    const taken = takeStart(held === undefined ? chunk : Buffer.concat([held, chunk]), ledger)
    held = undefined
    if (taken.kind === 'final') return taken.octets
    if (taken.kind === 'incomplete') held = taken.octets
    else socket.destroy(taken.fault)
    return null
  }
  return ledger
}

/** Begins the page of one more request. */
export function expectAnswer(ledger: ConnectionLedger): void {
  ledger.requests += 1
  ledger.answerOctets = 0
  ledger.informational = 0
  ledger.position = 'start'
  ledger.reason = ''
}

/** Stops reading: what has not arrived yet stays with the kernel. */
export function pauseReading(ledger: ConnectionLedger): void {
  if (ledger.flow === 'paused') return
  ledger.flow = 'paused'
  ledger.socket.pause()
}

/** Reads on after a pause, first of all what had arrived before it. */
export function resumeReading(ledger: ConnectionLedger): void {
  if (ledger.flow === 'open') return
  endPause(ledger)
  ledger.socket.emit('readable')
}

/** Lets a connection read again whose answer has ended. */
export function endPause(ledger: ConnectionLedger): void {
  if (ledger.flow === 'open') return
  ledger.flow = 'open'
  ledger.socket.resume()
}

type Taken =
  /** The octets from the final head on. */
  | { readonly kind: 'final'; readonly octets: Buffer }
  /** Octets that are not enough to go by. */
  | { readonly kind: 'incomplete'; readonly octets: Buffer }
  | { readonly kind: 'fault'; readonly fault: AnswerFault }

/** Takes informational heads off the start of an answer, up to the final head. */
function takeStart(octets: Buffer, ledger: ConnectionLedger): Taken {
  let rest = octets
  for (;;) {
    const start = parseAnswerStart(rest)
    switch (start.kind) {
      case 'malformed':
        return toFault('upstream-malformed', 'BAD_STATUS_LINE')
      case 'incomplete':
        if (rest.length > ANSWER_HEAD_LIMIT_BYTES) return toFault('upstream-head-too-large', 'HEAD_LIMIT')
        return { kind: 'incomplete', octets: rest }
      case 'final':
        ledger.position = 'beyond'
        ledger.reason = start.reason
        return { kind: 'final', octets: rest }
      case 'informational':
        if (start.status === 101) return toFault('upstream-upgrade', 'UNASKED_101')
        ledger.informational += 1
        if (ledger.informational > MAX_INFORMATIONAL) return toFault('upstream-malformed', 'TOO_MANY_1XX')
        rest = rest.subarray(start.length)
    }
  }
}

function toFault(kind: FailureKind, code: string): Taken {
  return { kind: 'fault', fault: new AnswerFault(kind, code) }
}

export const ANSWER_HEAD_LIMIT_BYTES = 65_536
const MAX_INFORMATIONAL = 10
