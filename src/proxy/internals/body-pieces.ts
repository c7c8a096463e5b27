/** A parser, and the message whose body it parses. */
interface Receiver {
  readonly incoming: object | null
}

/**
 * Joins small pieces of a request's body until the body, the read or the turn of the event loop ends. A read may be as small
 * as they are: with TLS, each record is one, and what the socket brings at once may hold 2,800 of one octet.
 *
 * It holds pieces of one body at a time, of whatever connection, in the same memory.
 */
export class BodyPieces<P extends Receiver> {
  readonly #pass: (this: P, octets: Buffer) => void
  readonly #memory = Buffer.allocUnsafeSlow(65_536)
  #octets = 0
  #parser: P | undefined
  #incoming: object | null = null
  #isScheduled = false

  /** @param pass gets the pieces of a body, joined */
  constructor(pass: (this: P, octets: Buffer) => void) {
    this.#pass = pass
  }

  take(parser: P, piece: Buffer): void {
    const isLarge = piece.length >= LARGE_OCTETS
    const isOther = this.#incoming !== parser.incoming
    if (isLarge || isOther || this.#octets + piece.length > this.#memory.length) this.#passOn()
    if (isLarge) return this.#pass.call(parser, piece)
    this.#parser = parser
    this.#incoming = parser.incoming
    piece.copy(this.#memory, this.#octets)
    this.#octets += piece.length
  }

  endBody({ incoming }: P): void {
    if (this.#incoming === incoming) this.#passOn()
  }

  endRead(outcome: 'parsed' | 'failed'): void {
    if (this.#octets >= KEPT_OCTETS || outcome === 'failed') this.#passOn()
    else if (this.#octets > 0 && !this.#isScheduled) {
      this.#isScheduled = true
      setImmediate(this.#endTurn)
    }
  }

  readonly #endTurn = (): void => {
    this.#isScheduled = false
    this.#passOn()
  }

  #passOn(): void {
    const parser = this.#parser
    const incoming = this.#incoming
    const octets = this.#octets
    this.#parser = undefined
    this.#incoming = null
    this.#octets = 0
    // The connection may have closed since, and its parser may serve another.
    if (octets > 0 && parser?.incoming === incoming)
      this.#pass.call(parser, Buffer.from(this.#memory.subarray(0, octets)))
  }
}

const LARGE_OCTETS = 16_384
/** From here on, the pieces are passed at the end of the read. */
const KEPT_OCTETS = 1_024
