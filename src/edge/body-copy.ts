/**
 * A copy of a body that is being sent, in one piece, since it may come octet by octet. There is none of a body that is longer
 * than 2 MiB, or for which all copies together would take more than 16 MiB.
 */
export class BodyCopy {
  static #allOctets = 0
  #kept = new Uint8Array(0)
  #length = 0
  isWhole = true

  get octets(): Uint8Array<ArrayBuffer> {
    return this.#kept.subarray(0, this.#length)
  }

  append(piece: Uint8Array): void {
    if (!this.isWhole) return
    const length = this.#length + piece.length
    if (length > this.#kept.length && !this.#hasGrownTo(length)) return this.drop()
    this.#kept.set(piece, this.#length)
    this.#length = length
  }

  /** Nothing more is kept either. */
  drop(): void {
    this.isWhole = false
    BodyCopy.#allOctets -= this.#kept.length
    this.#kept = new Uint8Array(0)
    this.#length = 0
  }

  #hasGrownTo(length: number): boolean {
    const size = Math.min(Math.max(length, 2 * this.#kept.length), MOST_OCTETS)
    const more = size - this.#kept.length
    if (length > MOST_OCTETS || BodyCopy.#allOctets + more > MOST_OCTETS_OF_ALL) return false
    const grown = new Uint8Array(size)
    grown.set(this.octets)
    this.#kept = grown
    BodyCopy.#allOctets += more
    return true
  }
}

/** The most octets of one copy, with the salt of its digest. */
const MOST_OCTETS = 2 ** 21 + 32
const MOST_OCTETS_OF_ALL = 2 ** 24
