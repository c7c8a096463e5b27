/**
 * The deadline of whatever an exchange waits for at the moment. It moves several times in every exchange and hardly
 * ever passes, so moving it only writes a number down; one timer looks at the number when it fires and, if the
 * deadline has moved on, sets itself again.
 */
export class Deadline {
  readonly #onPassed: () => void
  #timer: NodeJS.Timeout | undefined
  #timerAtMs = 0
  #atMs = 0
  #lengthMs = 0

  constructor(onPassed: () => void) {
    this.#onPassed = onPassed
  }

  /** Sets the deadline to `lengthMs` from now. */
  set(lengthMs: number): void {
    this.#lengthMs = lengthMs
    this.#atMs = performance.now() + lengthMs
    if (this.#timer === undefined || this.#timerAtMs > this.#atMs) this.#start(lengthMs)
  }

  /** Progress was made: the same time begins again. */
  extend(): void {
    if (this.#timer !== undefined) this.#atMs = performance.now() + this.#lengthMs
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #start(waitMs: number): void {
    clearTimeout(this.#timer)
    this.#timerAtMs = performance.now() + waitMs
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const leftMs = this.#atMs - performance.now()
      // Timers may fire up to a millisecond early.
      if (leftMs >= 1) this.#start(leftMs)
      else this.#onPassed()
    }, waitMs)
  }
}
