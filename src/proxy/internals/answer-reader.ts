import type { OnReadOpts, Socket } from 'node:net'
import type { FailureKind } from '../../forward/failure.ts'
import { parseAnswerStart } from '../answer-start.ts'

/** The service broke HTTP in a way that undici would not see, or would report as something else. */
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
 * Reads one connection to the service, between the kernel and undici 7, whose reading (lib/dispatcher/client-h1.js)
 * has gaps:
 *
 * - Informational heads never reach it: it breaks the connection at an unasked 100, does not count the others, and
 *   takes a 101 without an Upgrade field for one of them.
 * - The reason phrase is taken here, whole and as latin1; undici keeps the last piece, as UTF-8.
 * - A reset during a close-delimited body looks like its end to undici. `ending` tells them apart. Up to version 20 Node
 *   reports a reset that arrives together with data as an end; but then the connection has no remote address any more.
 * - Its own pause throws if the answer ends while it lasts, so reading stops at the socket instead.
 *
 * Anything that arrives while no answer is expected closes the connection: it could be taken for the next answer.
 *
 * Node reads into one buffer of the process (`onread`), from which what arrived is copied. Its usual way takes 64 KiB
 * anew for every arrival.
 */
export class AnswerReader {
  readonly socketOptions: { readonly onread: OnReadOpts; readonly highWaterMark: number }
  /** Bytes of the current answer that have arrived. */
  answerOctets = 0
  /** Reason phrase of the current answer, octet for octet. */
  reason = ''
  /** How the service let go; undici takes either for the end of an answer without framing. */
  ending: 'none' | 'end' | 'reset' = 'none'
  /** Whether a final status line is still to come. */
  #position: 'idle' | 'start' | 'beyond' = 'idle'
  #informational = 0
  #held: Buffer | undefined
  #flow: 'open' | 'stopping' | 'stopped' = 'open'
  #socket: Socket | undefined

  constructor() {
    const reader = this
    this.socketOptions = {
      onread: {
        buffer: READ_BUFFER,
        callback(this: Socket, count: number, octets: Uint8Array): boolean {
          reader.#read(this, Buffer.from(octets.subarray(0, count)))
          return true
        },
      },
      highWaterMark: 16_384,
    }
  }

  /** Follows a socket that was opened with `socketOptions`. */
  attach(socket: Socket): void {
    this.#socket = socket
    socket.prependListener('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNRESET') this.ending = 'reset'
    })
    socket.prependListener('end', () => {
      this.ending = socket.remoteAddress === undefined ? 'reset' : 'end'
    })
  }

  /** A request is about to be written. */
  expect(): void {
    this.answerOctets = 0
    this.reason = ''
    this.#informational = 0
    this.#position = 'start'
  }

  /** The answer is complete; nothing more may come. */
  rest(): void {
    this.#position = 'idle'
    this.resume()
  }

  /**
   * Stops reading; what has not arrived stays with the kernel. It takes effect when undici has taken what was read
   * already: each of its reads would start the socket again.
   */
  pause(): void {
    if (this.#flow !== 'open') return
    this.#flow = 'stopping'
    queueMicrotask(() => {
      if (this.#flow !== 'stopping') return
      this.#flow = 'stopped'
      this.#socket?.pause()
    })
  }

  resume(): void {
    const { socket, flow } = { socket: this.#socket, flow: this.#flow }
    this.#flow = 'open'
    if (flow === 'stopped') socket?.resume()
  }

  #read(socket: Socket, chunk: Buffer): void {
    this.answerOctets += chunk.length
    if (this.#position === 'beyond') return void socket.push(chunk)
    if (this.#position === 'idle') return void socket.destroy(toFault('upstream-malformed', 'UNASKED_ANSWER'))
    const octets = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = undefined
    const rest = this.#takeStart(octets)
    if (rest instanceof AnswerFault) socket.destroy(rest)
    else if (rest !== undefined) socket.push(rest)
  }

  /**
   * Takes informational heads off the start of an answer.
   *
   * @returns the octets from the final head on; `undefined` while there are too few to tell
   */
  #takeStart(octets: Buffer): Buffer | AnswerFault | undefined {
    let rest = octets
    for (;;) {
      const start = parseAnswerStart(rest)
      switch (start.kind) {
        case 'malformed':
          return toFault('upstream-malformed', 'BAD_STATUS_LINE')
        case 'incomplete':
          if (rest.length > ANSWER_HEAD_LIMIT_BYTES) return toFault('upstream-head-too-large', 'HEAD_LIMIT')
          this.#held = rest
          return undefined
        case 'final':
          this.#position = 'beyond'
          this.reason = start.reason
          return rest
        case 'informational':
          if (start.status === 101) return toFault('upstream-upgrade', 'UNASKED_101')
          this.#informational += 1
          if (this.#informational > MAX_INFORMATIONAL) return toFault('upstream-malformed', 'TOO_MANY_1XX')
          rest = rest.subarray(start.length)
      }
    }
  }
}

function toFault(kind: FailureKind, code: string): AnswerFault {
  return new AnswerFault(kind, code)
}

export const ANSWER_HEAD_LIMIT_BYTES = 65_536
const MAX_INFORMATIONAL = 10
/** Copied from before the next read, so all connections share it. */
const READ_BUFFER = Buffer.allocUnsafeSlow(32_768)
