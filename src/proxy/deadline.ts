/** Is called when its deadline passes. */
export interface DeadlineOwner {
  onDeadline(): void
}

/**
 * The clock of all exchanges of a process. A deadline moves several times in every exchange and hardly ever passes, so
 * moving it only stores a number, and one interval compares all of them. The interval is cleared when no deadline is
 * open.
 *
 * Open deadlines form a linked list. Removing them from a Set would leave its old tables behind, through which V8 keeps
 * finished exchanges alive for longer: that took a seventh of all CPU time.
 */
export class DeadlineClock {
  #first: Deadline | undefined
  #interval: NodeJS.Timeout | undefined

  add(deadline: Deadline): void {
    deadline.next = this.#first
    if (this.#first !== undefined) this.#first.previous = deadline
    this.#first = deadline
    this.#interval ??= setInterval(() => this.#check(), RESOLUTION_MS)
  }

  remove(deadline: Deadline): void {
    const { previous, next } = deadline
    if (previous !== undefined) previous.next = next
    else if (this.#first === deadline) this.#first = next
    if (next !== undefined) next.previous = previous
    deadline.previous = undefined
    deadline.next = undefined
  }

  #check(): void {
    if (this.#first === undefined) {
      clearInterval(this.#interval)
      this.#interval = undefined
      return
    }
    const nowMs = performance.now()
    const passed: Deadline[] = []
    for (let each: Deadline | undefined = this.#first; each !== undefined; each = each.next)
      if (each.atMs <= nowMs) passed.push(each)
    for (const deadline of passed) if (deadline.atMs <= nowMs) deadline.pass()
  }
}

/** The deadline for what an exchange currently waits for; it passes up to 25 ms late, never early. */
export class Deadline {
  previous: Deadline | undefined = undefined
  next: Deadline | undefined = undefined
  /** On the clock of `performance.now()`; infinite while no deadline is set. */
  atMs = Number.POSITIVE_INFINITY
  readonly #clock: DeadlineClock
  readonly #owner: DeadlineOwner
  #lengthMs = 0

  constructor(clock: DeadlineClock, owner: DeadlineOwner) {
    this.#clock = clock
    this.#owner = owner
  }

  /** Sets the deadline to `lengthMs` from now. */
  set(lengthMs: number): void {
    if (this.atMs === Number.POSITIVE_INFINITY) this.#clock.add(this)
    this.#lengthMs = lengthMs
    this.atMs = performance.now() + lengthMs
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
  pass(): void {
    this.clear()
    this.#owner.onDeadline()
  }
}

const RESOLUTION_MS = 25
