import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Whether somebody else has read of a body that was announced, or is about to: what they took can't be forwarded, nor
 * what they had turned into text. `complete` says nothing here; a short body is complete before anybody reads it.
 */
export function isBodyTaken(incoming: IncomingMessage): boolean {
  if (incoming.readableDidRead || incoming.readableEnded || incoming.readableFlowing === true) return true
  return incoming.readableEncoding !== null || incoming.listenerCount('readable') > 0
}

/**
 * The body of a request, passed on chunk by chunk with backpressure.
 *
 * It stands between `IncomingMessage` and undici because undici destroys the stream that it is given when an answer
 * comes before the upload ends, and destroying an `IncomingMessage` takes the client's connection with it: the early
 * answer would never arrive.
 */
export class RequestBody extends Readable {
  readonly #incoming: IncomingMessage
  readonly #onOctets: (count: number) => void
  #waitsForClient: 'yes' | 'no' = 'no'

  /** `onOctets` is told how many octets arrived from the client, at each arrival. */
  constructor(incoming: IncomingMessage, onOctets: (count: number) => void) {
    super({ highWaterMark: BUFFER_OCTETS })
    this.#incoming = incoming
    this.#onOctets = onOctets
    // undici listens only once a connection is there; a client may leave before, and an error nobody hears is fatal.
    this.on('error', () => {})
    incoming
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', this.#onBreak)
      .on('close', this.#onBreak)
    incoming.pause()
  }

  /** Who holds the upload up: the client that sends nothing, or the service that takes nothing. */
  get waitsFor(): 'client' | 'service' {
    return this.#waitsForClient === 'yes' ? 'client' : 'service'
  }

  override _read(): void {
    this.#waitsForClient = 'yes'
    this.#incoming.resume()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#incoming
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onBreak)
      .off('close', this.#onBreak)
    // Whoever reads on (the drain after an early answer) must not be surprised by an error without a listener.
    this.#incoming.on('error', () => {})
    callback(error)
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#onOctets(chunk.length)
    if (this.destroyed) return
    if (!this.push(chunk)) {
      this.#waitsForClient = 'no'
      this.#incoming.pause()
    }
  }

  readonly #onEnd = (): void => {
    this.push(null)
  }

  readonly #onBreak = (): void => {
    if (!this.#incoming.complete) this.destroy(new Error('The client left'))
  }
}

/** What Node took until version 22, and enough: thousands of uploads may wait at once. */
const BUFFER_OCTETS = 16_384
