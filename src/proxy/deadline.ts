/**
 * The deadline for what an exchange currently waits for; it moves several times in every exchange and hardly ever passes.
 *
 * Timers run before what has arrived is read. So once it has passed, that is read first: a stopped or busy process harms nobody.
 */
export class Deadline {
  readonly #onPassed: () => void
  #timer: NodeJS.Timeout | undefined
  #lengthMs = 0
  #moves = 0

  constructor(onPassed: () => void) {
    this.#onPassed = onPassed
  }

  set(lengthMs: number): void {
    if (this.#timer !== undefined && lengthMs === this.#lengthMs) return this.extend()
    this.clear()
    this.#lengthMs = lengthMs
    this.#timer = setTimeout(() => this.#pass(), lengthMs)
  }

  /** Progress was made: restarts the deadline with the same length. */
  extend(): void {
    this.#moves += 1
    this.#timer?.refresh()
  }

  clear(): void {
    this.#moves += 1
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #pass(): void {
    const moves = this.#moves
    setImmediate(() => {
      if (moves === this.#moves) this.#onPassed()
    })
  }
}
