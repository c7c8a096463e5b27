import { LinkedList, Listed } from './linked-list.ts'

/** Called when its deadline passes. */
export interface DeadlineOwner {
  onDeadline(): void
}

/**
 * The clock of all exchanges of a process. A deadline moves several times in every exchange and hardly ever passes, so
 * moving it only stores a number, and one interval compares all of them. The interval is cleared when no deadline is
 * open.
 */
export class DeadlineClock {
  readonly #open = new LinkedList<Deadline>()
  readonly #onTick: () => void
  #interval: NodeJS.Timeout | undefined

  /** @param onTick is called whenever the deadlines have been compared */
  constructor(onTick: () => void = () => {}) {
    this.#onTick = onTick
  }

  add(deadline: Deadline): void {
    this.#open.add(deadline)
    this.#interval ??= setInterval(() => this.#check(), RESOLUTION_MS)
  }

  remove(deadline: Deadline): void {
    this.#open.delete(deadline)
  }

  #check(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#interval)
      this.#interval = undefined
      return
    }
    const nowMs = performance.now()
    const passed = this.#open.toArray().filter(({ atMs }) => atMs <= nowMs)
    for (const deadline of passed) if (deadline.atMs <= nowMs) deadline.expire()
    this.#onTick()
  }
}

/** The deadline for what an exchange currently waits for; it passes up to 25 ms late, never early. */
export class Deadline extends Listed<Deadline> {
  /** On the clock of `performance.now()`; infinite while no deadline is set. */
  atMs = Number.POSITIVE_INFINITY
  readonly #clock: DeadlineClock
  readonly #owner: DeadlineOwner
  #lengthMs = 0

  constructor(clock: DeadlineClock, owner: DeadlineOwner) {
    super()
    this.#clock = clock
    this.#owner = owner
  }

  /** Sets the deadline to `lengthMs` from now. */
  set(lengthMs: number, nowMs = performance.now()): void {
    if (this.atMs === Number.POSITIVE_INFINITY) this.#clock.add(this)
    this.#lengthMs = lengthMs
    this.atMs = nowMs + lengthMs
  }

  /** Progress was made: restarts the deadline with the same length. */
  extend(): void {
    if (this.atMs !== Number.POSITIVE_INFINITY) this.atMs = performance.now() + this.#lengthMs
  }

  clear(): void {
    this.atMs = Number.POSITIVE_INFINITY
    this.#clock.remove(this)
  }

  /** Clears the deadline and calls its owner. */
  expire(): void {
    this.clear()
    this.#owner.onDeadline()
  }
}

const RESOLUTION_MS = 25
