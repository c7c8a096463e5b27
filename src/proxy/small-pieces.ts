/** Reading of one connection, which can be held. */
export interface Reading {
  hold(): void
  release(): void
  /** Whether the connection is closed. */
  readonly isOver: boolean
}

/**
 * Gives small pieces of messages a share of the event loop. Each has a cost whatever its size, so a read of 64 KiB takes 16
 * ms if it holds requests with chunks of one octet; with reads of many connections, one after the other, nobody else gets a
 * turn. Connections that bring more than `perMs` together stand in line, and are read one at a time.
 */
export class SmallPieces {
  readonly #perMs: number
  /** With the pieces of each, which set how long its turn takes. The first is next. */
  readonly #line = new Map<Reading, number>()
  /** Pieces taken beyond the share. */
  #debt = 0
  #countedAt = performance.now()
  #timer: NodeJS.Timeout | undefined

  constructor(perMs: number) {
    this.#perMs = perMs
  }

  /** Whether more may be taken. If not, because many more than the share were, a connection that brings some is closed. */
  mayTake(): boolean {
    this.#count(0)
    return this.#debt < MOST_DEBT_MS * this.#perMs
  }

  /** A connection has brought so many in one read. */
  take(reading: Reading, pieces: number): void {
    this.#count(pieces)
    if (this.#debt <= AT_ONCE_MS * this.#perMs) return
    // With TLS, some records still come after reading was held.
    this.#line.set(reading, (this.#line.get(reading) ?? 0) + pieces)
    reading.hold()
    this.#timer ??= setTimeout(this.#next, pieces / this.#perMs).unref()
  }

  #count(pieces: number): void {
    const now = performance.now()
    this.#debt = Math.max(0, this.#debt - (now - this.#countedAt) * this.#perMs) + pieces
    this.#countedAt = now
  }

  readonly #next = (): void => {
    this.#timer = undefined
    for (const [reading, pieces] of this.#line) {
      this.#line.delete(reading)
      reading.release()
      if (reading.isOver) continue
      this.#timer = setTimeout(this.#next, pieces / this.#perMs).unref()
      return
    }
  }
}

/** The share of so many milliseconds may come at once, and most of all. */
const AT_ONCE_MS = 200
const MOST_DEBT_MS = 1_000
