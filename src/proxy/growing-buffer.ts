/** Joins pieces as they come. It doubles when it is full, so many small pieces cost as much as a large one. */
export class GrowingBuffer {
  #octets = NOTHING
  #length = 0

  get length(): number {
    return this.#length
  }

  append(piece: Buffer): void {
    const length = this.#length + piece.length
    if (length > this.#octets.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#octets.length))
      this.#octets.copy(larger, 0, 0, this.#length)
      this.#octets = larger
    }
    piece.copy(this.#octets, this.#length)
    this.#length = length
  }

  /** @returns all pieces, valid until the next are appended */
  peek(): Buffer {
    return this.#octets.subarray(0, this.#length)
  }

  /** @returns all pieces; it is empty afterwards */
  take(): Buffer {
    const taken = this.peek()
    this.#octets = NOTHING
    this.#length = 0
    return taken
  }
}

const NOTHING = Buffer.alloc(0)
