import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Fields, hasField, valuesOf } from '../http/fields.ts'
import {
  destroyResponse,
  endResponse,
  listen,
  neverChunk,
  writeBody,
  writeContinue,
  writeHead,
} from './internals/reserved-response.ts'
import { drainUpload } from './lingering.ts'

/**
 * An answer on its way to the client. The head is held back for one turn, since head and body in one write cost half of
 * two; then octets go out as they come, with backpressure, until the answer is ended or broken off.
 */
export class OutgoingAnswer {
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #onDrain: () => void
  #state: 'held' | 'flowing' | 'over' = 'held'
  /** The first of the body, while the head is held. */
  #firstOctets: Buffer | undefined
  #hasDrainListener = false

  /** `onDrain` is called when the connection takes octets again. */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, onDrain: () => void) {
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#onDrain = onDrain
  }

  /** Octets that the connection has not taken yet. */
  get unsentOctets(): number {
    return this.#incoming.socket?.writableLength ?? 0
  }

  /** Closes the connection after this answer. */
  makeLast(): void {
    this.#outgoing.shouldKeepAlive = false
  }

  /** Makes the response its own; until then it may still be the site's. */
  claim(): void {
    if (this.#incoming.httpVersion === '1.0') neverChunk(this.#outgoing)
    // Node passes over what came in the same packet behind an Upgrade, so the next request can't be relied on.
    if (hasField(this.#incoming.rawHeaders, 'upgrade')) this.makeLast()
  }

  /** Sends 100 Continue. */
  goOn(): void {
    writeContinue(this.#outgoing)
  }

  /** @returns whether Node accepted the head; it refuses octets that HTTP forbids */
  head(status: number, reason: string, fields: string[]): boolean {
    try {
      writeHead(this.#outgoing, status, reason, fields)
      return true
    } catch {
      return false
    }
  }

  /** A small answer comes whole in the same turn; the head of a slow one must not wait for its body. */
  flushAfterTurn(): void {
    queueMicrotask(() => this.#flush())
  }

  write(octets: Buffer): 'pause' | 'continue' {
    if (this.#state === 'held' && this.#firstOctets === undefined) {
      this.#firstOctets = octets
      return 'continue'
    }
    this.#flush()
    if (writeBody(this.#outgoing, octets)) return 'continue'
    if (!this.#hasDrainListener) {
      this.#hasDrainListener = true
      listen(this.#outgoing, 'drain', this.#onDrain)
    }
    return 'pause'
  }

  /** Ends the answer, with its last octets if they are still to be written. */
  end(lastOctets: Buffer | string | undefined = this.#firstOctets): void {
    this.#state = 'over'
    endResponse(this.#outgoing, this.#incoming.method === 'HEAD' ? undefined : lastOctets)
  }

  /**
   * Ends the answer of a client that still uploads. What comes is read on for a while, else a reset could overtake the
   * answer; `carry` is told how much.
   */
  endAndDrain(
    lastOctets: Buffer | string | undefined = this.#firstOctets,
    carry: (octets: number) => void,
  ): void {
    this.#state = 'over'
    if (lastOctets !== undefined && this.#incoming.method !== 'HEAD') writeBody(this.#outgoing, lastOctets)
    drainUpload(this.#incoming, this.#outgoing, carry)
  }

  /** Breaks the answer off so that it can't be taken for a complete one. */
  cut(): void {
    this.#state = 'over'
    const { socket, httpVersion } = this.#incoming
    // Without framing the end of the connection is the end of the body: only a reset tells the difference. TLS has its
    // own end, which is not sent here.
    if (httpVersion === '1.0' && !('encrypted' in socket)) socket.resetAndDestroy()
    destroyResponse(this.#outgoing)
  }

  /** Writes the head, and what has come of the body. Never `flushHeaders`: it turns octets above 0x7F into UTF-8. */
  #flush(): void {
    if (this.#state !== 'held' || this.#outgoing.destroyed) return
    this.#state = 'flowing'
    writeBody(this.#outgoing, this.#firstOctets ?? NOTHING)
    this.#firstOctets = undefined
  }
}

/** Whether a message says that it has a body: framing fields other than `Content-Length: 0`. */
export function announcesBody(fields: Fields): boolean {
  if (hasField(fields, 'transfer-encoding')) return true
  return valuesOf(fields, 'content-length').some((length) => length !== '0')
}

const NOTHING = Buffer.alloc(0)
