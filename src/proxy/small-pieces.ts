/** Reading of one connection, which can be held. */
export interface Reading {
  hold(): void
  release(): void
  /** Whether the connection is closed. */
  readonly isOver: boolean
}

/**
 * Gives small pieces of messages a share of the event loop. Each costs 1.5 µs or more, whatever its size, so a read of 64
 * KiB takes 16 ms if it holds chunks of one octet; with reads of many connections, one after the other, nobody else gets a
 * turn. Connections that bring more than `PER_MS` together stand in line, and are read one at a time.
 */
export class SmallPieces {
  /** With the pieces of each, which set how long its turn takes. The first is next. */
  readonly #line = new Map<Reading, number>()
  /** Pieces taken beyond the share. */
  #debt = 0
  #countedAt = performance.now()
  #timer: NodeJS.Timeout | undefined

  /** Whether more may be taken. If not, because many more than the share were, a connection that brings some is closed. */
  mayTake(): boolean {
    this.#count(0)
    return this.#debt < MOST_DEBT
  }

  /** A connection has brought so many in one read. */
  take(reading: Reading, pieces: number): void {
    this.#count(pieces)
    if (this.#debt <= AT_ONCE) return
    // With TLS, some records still come after reading was held.
    this.#line.set(reading, (this.#line.get(reading) ?? 0) + pieces)
    reading.hold()
    this.#timer ??= setTimeout(this.#next, pieces / PER_MS).unref()
  }

  #count(pieces: number): void {
    const now = performance.now()
    this.#debt = Math.max(0, this.#debt - (now - this.#countedAt) * PER_MS) + pieces
    this.#countedAt = now
  }

  readonly #next = (): void => {
    this.#timer = undefined
    for (const [reading, pieces] of this.#line) {
      this.#line.delete(reading)
      reading.release()
      if (reading.isOver) continue
      this.#timer = setTimeout(this.#next, pieces / PER_MS).unref()
      return
    }
  }
}

const PER_MS = 100
const AT_ONCE = 20_000
const MOST_DEBT = 100_000
