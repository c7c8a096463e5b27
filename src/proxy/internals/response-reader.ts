import type { OnReadOpts, Socket } from 'node:net'
import type { FailureKind } from '../../forward/failure.ts'
import { parseResponseStart } from '../../http/response-start.ts'

/** The service violated HTTP in a way that undici would not notice, or would report as something else. */
export class ResponseFault extends Error {
  readonly kind: FailureKind
  readonly code: string

  constructor(kind: FailureKind, code: string) {
    super('The service violated HTTP')
    this.name = 'ResponseFault'
    this.kind = kind
    this.code = code
  }
}

/**
 * Reads one connection to the service, between the kernel and undici 7, whose reading (lib/dispatcher/client-h1.js)
 * has gaps:
 *
 * - Informational heads are removed before it: undici closes the connection at an unexpected 100, does not count the
 *   others, and treats a 101 without an Upgrade field as one of them.
 * - The reason phrase is read here, whole and as latin1; undici keeps only its last piece, as UTF-8.
 * - A reset during a close-delimited body looks like its end to undici. `ending` tells them apart. Up to version 20 Node
 *   reports a reset that arrives together with data as an end; but then the connection has no remote address any more.
 * - Its own pause throws if the response ends meanwhile, so the socket is paused instead.
 *
 * Data that arrives while no response is expected closes the connection: it could be taken for the next response.
 *
 * Node reads into one buffer of the process (`onread`), from which received data is copied. By default it allocates
 * 64 KiB for every read.
 */
export class ResponseReader {
  readonly socketOptions: { readonly onread: OnReadOpts; readonly highWaterMark: number }
  /** Bytes of the current response that have arrived. */
  responseOctets = 0
  /** Reason phrase of the current response, one character for each octet. */
  reason = ''
  /** How the service closed, `reset` after a fault of TLS too; undici takes either for the end of a response without framing. */
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
      if (code !== 'ECONNRESET' && socket.destroyed) return
      this.ending = 'reset'
      // A fault of TLS leaves the socket open, and undici waits for its close.
      socket.destroy()
    })
    socket.prependListener('end', () => {
      this.ending = socket.remoteAddress === undefined ? 'reset' : 'end'
    })
  }

  /** A request is about to be written. */
  expect(): void {
    this.responseOctets = 0
    this.reason = ''
    this.#informational = 0
    this.#position = 'start'
  }

  /** The response is complete; nothing more may come. */
  expectNothing(): void {
    this.#position = 'idle'
    this.resume()
  }

  /**
   * Stops reading; further data stays in the kernel. It takes effect after undici has consumed what was read already,
   * since each of its reads would resume the socket.
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
    this.responseOctets += chunk.length
    if (this.#position === 'beyond') return void socket.push(chunk)
    if (this.#position === 'idle')
      return void socket.destroy(toFault('upstream-malformed', 'UNSOLICITED_RESPONSE'))
    const octets = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = undefined
    const rest = this.#takeStart(octets)
    if (rest instanceof ResponseFault) socket.destroy(rest)
    else if (rest !== undefined) socket.push(rest)
  }

  /**
   * Removes informational heads from the start of a response.
   *
   * @returns the octets from the final head on; `undefined` while too few have arrived
   */
  #takeStart(octets: Buffer): Buffer | ResponseFault | undefined {
    let rest = octets
    for (;;) {
      const start = parseResponseStart(rest)
      switch (start.kind) {
        case 'malformed':
          return toFault('upstream-malformed', 'BAD_STATUS_LINE')
        case 'incomplete':
          if (rest.length > RESPONSE_HEAD_LIMIT_BYTES) return toFault('upstream-head-too-large', 'HEAD_LIMIT')
          this.#held = rest
          return undefined
        case 'final':
          this.#position = 'beyond'
          this.reason = start.reason
          return rest
        case 'informational':
          if (start.status === 101) return toFault('upstream-upgrade', 'UNSOLICITED_101')
          this.#informational += 1
          if (this.#informational > MAX_INFORMATIONAL) return toFault('upstream-malformed', 'TOO_MANY_1XX')
          rest = rest.subarray(start.length)
      }
    }
  }
}

function toFault(kind: FailureKind, code: string): ResponseFault {
  return new ResponseFault(kind, code)
}

export const RESPONSE_HEAD_LIMIT_BYTES = 65_536
const MAX_INFORMATIONAL = 10
/** Copied from before the next read, so all connections can share it. */
const READ_BUFFER = Buffer.allocUnsafeSlow(32_768)
