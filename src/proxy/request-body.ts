import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { SocketReading } from './socket-reading.ts'

/**
 * Whether somebody else has read of a body that was announced, or is about to: what they took can't be forwarded, nor
 * what they had turned into text. `complete` says nothing here; a short body is complete before anybody reads it.
 */
export function isBodyTaken(incoming: IncomingMessage): boolean {
  if (incoming.readableDidRead || incoming.readableEnded || incoming.readableFlowing === true) return true
  return incoming.readableEncoding !== null || incoming.listenerCount('readable') > 0
}

/** Who is told of a body's arrival. */
export interface BodyListener {
  /** Octets arrived from the client. */
  onOctets(count: number): void
  /** The first of them can be read, or the end if there are none. */
  onBegun(): void
  /** The last of them is here. */
  onArrived(): void
}

/**
 * The body of a request, passed on with backpressure. It begins to fill its buffer at once, so that a small body is
 * complete before a connection to the service is free.
 *
 * Small pieces that arrive in one turn of the event loop are passed on as one: a client that sends chunks of one octet would
 * otherwise cost several objects and writes for each. For the same reason the socket is paused and not the message, which
 * would count octets but keep an object for each chunk of what was read already.
 *
 * It stands between `IncomingMessage` and undici because undici destroys the stream that it is given when an answer
 * comes before the upload ends, and destroying an `IncomingMessage` takes the client's connection with it: the early
 * answer would never arrive.
 */
export class RequestBody extends Readable {
  readonly #incoming: IncomingMessage
  readonly #listener: BodyListener
  #pieces: Buffer[] = []
  #gatheredOctets = 0
  readonly #reading: SocketReading
  #flow: 'open' | 'stopped' = 'open'
  /** undici would send the length of a body that has ended, where the client sent chunks; so the end waits. */
  #end: 'ahead' | 'held' | 'passed' = 'ahead'
  #isBeingSent = false
  #hasBegun = false

  constructor(incoming: IncomingMessage, listener: BodyListener) {
    super({ highWaterMark: BUFFER_OCTETS })
    this.#incoming = incoming
    this.#listener = listener
    this.#reading = new SocketReading(incoming.socket)
    // undici listens only once a connection is there; a client may leave before, and an error nobody hears is fatal.
    this.on('error', () => {})
    incoming
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', this.#onBreak)
      .on('close', this.#onBreak)
  }

  /** Whether the last of it is here. */
  get hasArrived(): boolean {
    return this.#end !== 'ahead'
  }

  /** Who holds the upload up: the client that sends nothing, or the service that takes nothing. */
  get waitsFor(): 'client' | 'service' {
    return this.#flow === 'stopped' || this.readableLength > 0 ? 'service' : 'client'
  }

  /** The head is being written, with its framing. */
  beginSending(): void {
    this.#isBeingSent = true
    this.#passEnd()
  }

  override _read(): void {
    if (this.#flow === 'open') return
    this.#flow = 'open'
    this.#reading.release()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#incoming
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onBreak)
      .off('close', this.#onBreak)
    // Whoever reads on (the drain after an early answer) must not be surprised by an error without a listener.
    this.#incoming.on('error', () => {})
    this.#reading.release()
    this.#pieces = []
    callback(error)
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#pieces.push(chunk)
    this.#gatheredOctets += chunk.length
    if (this.#gatheredOctets >= BUFFER_OCTETS) this.#passPieces()
    else if (this.#pieces.length === 1) setImmediate(this.#passPieces)
  }

  readonly #passPieces = (): void => {
    const pieces = this.#pieces
    const [first] = pieces
    if (first === undefined) return
    this.#pieces = []
    this.#gatheredOctets = 0
    const octets = pieces.length === 1 ? first : Buffer.concat(pieces)
    this.#listener.onOctets(octets.length)
    if (this.destroyed) return
    const isRoomLeft = this.push(octets)
    this.#begin()
    if (isRoomLeft || this.#end !== 'ahead' || this.destroyed) return
    this.#flow = 'stopped'
    this.#reading.hold()
  }

  readonly #onEnd = (): void => {
    this.#end = 'held'
    this.#passPieces()
    if (this.destroyed) return
    this.#listener.onArrived()
    this.#begin()
    if (this.#isBeingSent) this.#passEnd()
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#listener.onBegun()
  }

  #passEnd(): void {
    if (this.#end !== 'held') return
    this.#end = 'passed'
    this.push(null)
  }

  readonly #onBreak = (): void => {
    if (!this.#incoming.complete) this.destroy(new Error('The client left'))
  }
}

/** What Node took until version 22, and enough: thousands of uploads may wait at once. */
const BUFFER_OCTETS = 16_384
