import type { OnReadOpts, Socket } from 'node:net'
import { GrowingBuffer } from '../growing-buffer.ts'
import { ResponseFault, ResponseStart } from './response-start.ts'

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
 * - It joins the pieces of a name or value again with each one. So of a head it gets whole lines only.
 * - It reads each TLS record by itself. Small ones are joined until the turn of the event loop ends.
 *
 * Data that arrives while no response is expected closes the connection: it could be taken for the next response.
 *
 * Node reads into one buffer of the process (`onread`), from which received data is copied. By default it allocates 64 KiB each time.
 */
export class ResponseReader {
  readonly socketOptions: { readonly onread: OnReadOpts; readonly highWaterMark: number }
  /** Bytes of the current response that have arrived. */
  responseOctets = 0
  /** How the service closed, `reset` after a fault of TLS too; undici takes either for the end of a response without framing. */
  ending: 'none' | 'end' | 'reset' = 'none'
  /** The current response; `undefined` while none is expected. */
  #start: ResponseStart | undefined
  #isPaused = false
  #isPauseDue = false
  #isSocketPaused = false
  /** Small reads of this turn of the event loop. */
  readonly #joined = new GrowingBuffer()
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
    const { push } = socket
    socket.push = (octets) => {
      if (octets === null) this.#passJoined()
      return push.call(socket, octets)
    }
    socket.prependListener('end', () => {
      this.ending = socket.remoteAddress === undefined ? 'reset' : 'end'
    })
  }

  /** A request is about to be written. */
  expect(): void {
    this.responseOctets = 0
    this.#start = new ResponseStart()
  }

  /** The response is complete; nothing more may come. */
  expectNothing(): void {
    this.#start = undefined
    this.resume()
  }

  /** Reason phrase of the current response, one character for each octet. */
  get reason(): string {
    return this.#start?.reason ?? ''
  }

  /** Stops reading; further data stays in the kernel. */
  pause(): void {
    this.#isPaused = true
    this.#stop()
  }

  resume(): void {
    this.#isPaused = false
    if (!this.#isSocketPaused) return
    this.#isSocketPaused = false
    this.#socket?.resume()
  }

  /**
   * It takes effect after undici has consumed what was read already, since each of its reads would resume the socket.
   * With TLS, more records may come after it.
   */
  #stop(): void {
    if (this.#isPauseDue) return
    this.#isPauseDue = true
    queueMicrotask(() => {
      this.#isPauseDue = false
      if (!this.#isPaused) return
      this.#isSocketPaused = true
      this.#socket?.pause()
    })
  }

  #read(socket: Socket, chunk: Buffer): void {
    // With TLS, more records of what was received come after all.
    if (socket.destroyed) return
    if (this.#isSocketPaused) this.#stop()
    // The first read of a response is often all of it.
    const isSmall = chunk.length < SMALL_OCTETS && this.responseOctets > 0
    this.responseOctets += chunk.length
    if (this.#start === undefined)
      return void socket.destroy(new ResponseFault('upstream-malformed', 'UNSOLICITED_RESPONSE'))
    const octets = this.#start.isOver ? chunk : this.#start.take(chunk)
    if (octets instanceof ResponseFault) socket.destroy(octets)
    else if (isSmall) this.#join(octets)
    else {
      this.#passJoined()
      if (octets.length > 0) socket.push(octets)
    }
  }

  #join(octets: Buffer): void {
    if (octets.length === 0) return
    if (this.#joined.length === 0) setImmediate(this.#passJoined)
    this.#joined.append(octets)
  }

  readonly #passJoined = (): void => {
    if (this.#joined.length === 0) return
    if (this.#isSocketPaused) this.#stop()
    this.#socket?.push(this.#joined.take())
  }
}

const SMALL_OCTETS = 256
/** Node reads into this buffer, and it is copied from before the next read: all connections can use one. */
const READ_BUFFER = Buffer.allocUnsafeSlow(32_768)
