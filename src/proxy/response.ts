import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Fields, hasField, valuesOf } from '../http/fields.ts'
import { GrowingBuffer } from './growing-buffer.ts'
import {
  destroyResponse,
  endResponse,
  neverChunk,
  readOnAfterEnd,
  writeBody,
  writeContinue,
  writeHead,
} from './internals/reserved-response.ts'
import { BUFFER_OCTETS } from './upload.ts'

/**
 * A response being sent to the client. The head is held back for one turn, since head and body in one write cost half as
 * much as in two; then octets are written as they arrive, with backpressure, until the response is ended or cut.
 *
 * What arrives while a write is under way is joined: chunks of one octet would otherwise cost several objects each.
 */
export class OutgoingResponse {
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #onDrain: () => void
  #state: 'held' | 'flowing' | 'over' = 'held'
  /** The first piece of the body, while the head is held back. */
  #firstOctets: Buffer | undefined
  #isWriting = false
  #isPaused = false
  /** What arrived since the last write began. */
  readonly #gathered = new GrowingBuffer()
  /** Whether only the end of the connection ends the body. */
  #endsByClose = false

  /** `onDrain` is called after a pause, when the client reads again. */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, onDrain: () => void) {
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#onDrain = onDrain
  }

  /** Whether the response waits for the client to read. */
  get isBlocked(): boolean {
    return this.#isWriting
  }

  /** Octets that are written and not yet handed to the kernel. */
  get unsentOctets(): number {
    return this.#incoming.socket?.writableLength ?? 0
  }

  makeLast(): void {
    this.#outgoing.shouldKeepAlive = false
  }

  /** Prepares the response. Call it only once an exchange owns the response: until then the site may still answer. */
  claim(): void {
    if (this.#incoming.httpVersion === '1.0') this.#chunkNothing()
    // Node ignores the rest of a packet after a request with Upgrade, so the next request may be damaged.
    if (hasField(this.#incoming.rawHeaders, 'upgrade')) this.makeLast()
  }

  /**
   * Ends the body by closing the connection, as the service does: over TLS a bare FIN can't be told from an end, so nothing
   * here may vouch that the body is complete.
   */
  endByClose(): void {
    this.#chunkNothing()
    this.makeLast()
  }

  #chunkNothing(): void {
    this.#endsByClose = true
    neverChunk(this.#outgoing)
  }

  sendContinue(): void {
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

  /** A small response is complete within the same turn; the head of a slow one must not wait for its body. */
  flushAfterTurn(): void {
    process.nextTick((response: OutgoingResponse) => response.#flush(), this)
  }

  write(octets: Buffer): 'pause' | 'continue' {
    if (this.#state === 'held' && this.#firstOctets === undefined) {
      this.#firstOctets = octets
      return 'continue'
    }
    this.#flush()
    if (this.#isWriting) this.#gathered.append(octets)
    else this.#write(octets)
    if (this.#gathered.length < BUFFER_OCTETS) return 'continue'
    this.#isPaused = true
    return 'pause'
  }

  #write(octets: Buffer): void {
    this.#isWriting = true
    writeBody(this.#outgoing, octets, () => this.#onWritten())
  }

  #onWritten(): void {
    this.#isWriting = false
    if (this.#state === 'over' || this.#outgoing.destroyed) return
    this.#writeGathered()
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#onDrain()
  }

  #writeGathered(): void {
    if (this.#gathered.length > 0) this.#write(this.#gathered.take())
  }

  /**
   * Ends the response, with its last octets if they are still to be written. If the client is still uploading, the upload
   * is read for a while, or a reset could overtake the response: `onDiscarded` is called with the size of each piece.
   */
  end(
    lastOctets: Buffer | string | undefined = this.#firstOctets,
    onDiscarded?: (octets: number) => void,
  ): void {
    this.#state = 'over'
    this.#writeGathered()
    const octets = this.#incoming.method === 'HEAD' ? undefined : lastOctets
    if (onDiscarded === undefined) return endResponse(this.#outgoing, octets)
    if (octets !== undefined) writeBody(this.#outgoing, octets)
    drainUpload(this.#incoming, this.#outgoing, onDiscarded)
  }

  /** Cuts the response so that it can't be mistaken for a complete one. */
  cut(): void {
    this.#state = 'over'
    const { socket } = this.#incoming
    // Only a reset shows that such a body is cut. TLS shows it by the missing close_notify.
    if (this.#endsByClose && !('encrypted' in socket) && !isShuttingDown(socket)) socket.resetAndDestroy()
    destroyResponse(this.#outgoing)
  }

  /** Writes the head and the first piece of the body. Not by `flushHeaders`, which encodes octets above 0x7F as UTF-8. */
  #flush(): void {
    if (this.#state !== 'held' || this.#outgoing.destroyed) return
    this.#state = 'flowing'
    this.#write(this.#firstOctets ?? NOTHING)
    this.#firstOctets = undefined
  }
}

/**
 * Whether Node has asked for the shutdown of a socket, as it does when the client closes its half. Until that is done, the
 * socket can't be reset, and an attempt would leave it open for ever.
 */
function isShuttingDown({ writableEnded, writableFinished, writableLength }: Socket): boolean {
  return writableEnded && !writableFinished && writableLength === 0
}

/** Whether the framing fields announce a body: any other than `Content-Length: 0`. */
export function announcesBody(fields: Fields): boolean {
  if (hasField(fields, 'transfer-encoding')) return true
  return valuesOf(fields, 'content-length').some((length) => length !== '0')
}

/**
 * Ends a response, and for a limited time reads and discards the rest of its upload (RFC 9112 section 9.6): closing at once
 * would send a reset, and a connection that stays open needs the rest out of the way.
 */
function drainUpload(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onPiece: (octets: number) => void,
): void {
  const { socket } = incoming
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS)
  const stop = () => {
    clearTimeout(deadline)
    socket.off('close', stop)
  }
  socket.once('close', stop)
  if (outgoing.shouldKeepAlive) incoming.once('end', stop)
  else readOnAfterEnd(socket)
  endResponse(outgoing)
  incoming.on('data', (chunk: Buffer) => onPiece(chunk.length))
}

const LINGER_MS = 5_000
const NOTHING = Buffer.alloc(0)
