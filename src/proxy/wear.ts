/**
 * Counts what requests of one kind take of the connections: those that they hold, and those that closed after them and
 * are missing until others are open in their place.
 */
export class Wear {
  /** How many they are on, or were last on. */
  held = 0
  #closed = 0
  #replaced = 0

  /** How many are not replaced yet. */
  get missing(): number {
    return this.#closed + this.#replaced
  }

  /** One of them has closed. */
  close(): void {
    this.#closed += 1
  }

  /** No request waits, so nothing lacks those that have closed. */
  forget(): void {
    this.#closed = 0
  }

  /** A connection is being opened; returns whether it is in place of one of them. */
  beginReplacing(): boolean {
    if (this.#closed === 0) return false
    this.#closed -= 1
    this.#replaced += 1
    return true
  }

  endReplacing(): void {
    this.#replaced -= 1
  }
}
