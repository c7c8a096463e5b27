/**
 * What requests of one kind do to connections: those that they are on, or were last on, and those that closed then and
 * are missed until others are open in their place.
 */
export class Wear {
  held = 0
  #closed = 0
  #replaced = 0

  /** How many are missed. */
  get missing(): number {
    return this.#closed + this.#replaced
  }

  /** One of them has closed. */
  close(): void {
    this.#closed += 1
  }

  /** Nothing waits that could miss them. */
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
