/**
 * Pieces that become one. Each piece of a body is a Buffer, which takes hundreds of octets however small it is: what comes
 * in pieces of one octet must not be kept so.
 */
export class JoinedPieces {
  #buffer: Buffer = NOTHING
  #octets = 0

  get octets(): number {
    return this.#octets
  }

  /** Copies a piece, since a small one may keep the memory of a whole read. A large first one is kept as it is. */
  add(piece: Buffer): void {
    const before = this.#octets
    this.#octets += piece.length
    if (before === 0 && piece.length >= FIRST_OCTETS) {
      this.#buffer = piece
      return
    }
    if (this.#octets > this.#buffer.length) this.#grow(before)
    piece.copy(this.#buffer, before)
  }

  /** All of them, which are forgotten here. */
  take(): Buffer {
    const joined = this.#buffer.subarray(0, this.#octets)
    this.#buffer = NOTHING
    this.#octets = 0
    return joined
  }

  #grow(octets: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#octets, 2 * this.#buffer.length, FIRST_OCTETS))
    this.#buffer.copy(larger, 0, 0, octets)
    this.#buffer = larger
  }
}

const NOTHING = Buffer.alloc(0)
const FIRST_OCTETS = 1_024
