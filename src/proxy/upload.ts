import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { GrowingBuffer } from './growing-buffer.ts'
import { SocketReading } from './socket-reading.ts'

/**
 * Whether other code has read from the body, is about to, or has set an encoding that turns it into text: such a body
 * can't be forwarded. `complete` doesn't tell, since a short body is complete before it is read.
 */
export function isBodyTaken(incoming: IncomingMessage): boolean {
  if (incoming.readableDidRead || incoming.readableEnded || incoming.readableFlowing === true) return true
  return incoming.readableEncoding !== null || incoming.listenerCount('readable') > 0
}

export interface BodyListener {
  /** The body is read as this stream. Called at once, or after the first octets if all might come with them. */
  onStream(upload: Upload): void
  onOctets(octets: Buffer): void
  /** The first octets can be read, or the end if there are none; or this is all of it. */
  onBegun(body: Upload | Buffer): void
  onArrived(): void
}

/**
 * Begins to read the body of a request, at once, since other code may begin to read in the same turn. Most small bodies
 * arrive in one piece, with the head, and need no stream.
 */
export function receiveBody(
  incoming: IncomingMessage,
  length: number | 'chunked',
  listener: BodyListener,
): void {
  const stream = (first?: Buffer) => listener.onStream(new Upload(incoming, first, listener))
  if (length === 'chunked' || !mayBeSmall(length)) stream()
  else
    incoming.once('data', (first: Buffer) => {
      if (first.length < length) return stream(first)
      listener.onArrived()
      listener.onOctets(first)
      listener.onBegun(first)
    })
  // In case other code has paused it.
  incoming.resume()
}

/** Whether a body of this length may fit into memory as a whole before it is sent; of chunks nobody knows. */
export function mayBeSmall(length: number | 'chunked' | undefined): boolean {
  return length === 'chunked' || (length !== undefined && length <= BUFFER_OCTETS)
}

/**
 * The body of a request, forwarded with backpressure. It fills its buffer from the start, so that a small body is
 * complete before a connection to the service is free.
 *
 * Small pieces that arrive in one turn of the event loop are joined: a client that sends chunks of one octet would
 * otherwise cost several objects and writes for each. For the same reason it pauses the socket and not the message, which
 * would keep an object for each chunk that was read already.
 *
 * undici does not get the `IncomingMessage` itself because it destroys the stream it was given if a response comes before
 * the upload ends, and destroying an `IncomingMessage` closes the client's connection: the early response would be lost.
 */
export class Upload extends Readable {
  readonly #incoming: IncomingMessage
  readonly #listener: BodyListener
  readonly #gathered = new GrowingBuffer()
  readonly #reading: SocketReading
  #flow: 'open' | 'stopped' = 'open'
  /** The end is held back: undici sends a Content-Length for a stream that has ended, even if the client sent chunks. */
  #end: 'ahead' | 'held' | 'passed' = 'ahead'
  #isBeingSent = false
  #hasBegun = false

  /** @param first the piece that has arrived before, if there was one */
  constructor(incoming: IncomingMessage, first: Buffer | undefined, listener: BodyListener) {
    super({ highWaterMark: BUFFER_OCTETS })
    this.#incoming = incoming
    this.#listener = listener
    this.#reading = new SocketReading(incoming.socket)
    // undici listens only once there is a connection, the client may disconnect before, and an unhandled error is fatal.
    this.on('error', () => {})
    incoming
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', this.#onBreak)
      .on('close', this.#onBreak)
    if (first !== undefined) this.#onData(first)
  }

  get hasArrived(): boolean {
    return this.#end !== 'ahead'
  }

  /** Which side the upload waits for: a client that sends nothing, or a service that reads nothing. */
  get waitsFor(): 'client' | 'service' {
    return this.hasArrived || this.#flow === 'stopped' || this.readableLength > 0 ? 'service' : 'client'
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
    // The drain after an early response goes on reading, and an error without a listener would be fatal.
    this.#incoming.on('error', () => {})
    this.#reading.release()
    callback(error)
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#gathered.length === 0 && chunk.length >= BUFFER_OCTETS) return this.#pass(chunk)
    if (this.#gathered.length === 0) setImmediate(this.#passGathered)
    this.#gathered.append(chunk)
    if (this.#gathered.length >= BUFFER_OCTETS) this.#passGathered()
  }

  readonly #passGathered = (): void => {
    if (this.#gathered.length > 0 && !this.destroyed) this.#pass(this.#gathered.take())
  }

  #pass(octets: Buffer): void {
    this.#listener.onOctets(octets)
    if (this.destroyed) return
    const isRoomLeft = this.push(octets)
    this.#begin()
    if (isRoomLeft || this.#end !== 'ahead' || this.destroyed) return
    this.#flow = 'stopped'
    this.#reading.hold()
  }

  readonly #onEnd = (): void => {
    this.#end = 'held'
    // Before it has begun: a body that is whole is no upload.
    if (!this.#hasBegun) this.#listener.onArrived()
    this.#passGathered()
    if (this.destroyed) return
    this.#listener.onArrived()
    this.#begin()
    if (this.#isBeingSent) this.#passEnd()
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#listener.onBegun(this)
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

/** Most of a body that is held in memory. Node's default before version 22; small, since thousands of uploads may wait at once. */
export const BUFFER_OCTETS = 16_384
