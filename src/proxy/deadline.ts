/** Whom a deadline is told to when it passes. */
export interface DeadlineOwner {
  onDeadline(): void
}

/**
 * The clock of all exchanges of a process. A deadline moves several times in every exchange and hardly ever passes, so
 * to move it only writes a number down, and one interval looks at all of the numbers. It rests while nothing is open.
 *
 * Open deadlines are chained to each other. In a Set their removal would leave old tables behind, through which V8 keeps
 * finished exchanges for longer: that was a seventh of all time.
 */
export class DeadlineClock {
  #first: Deadline | undefined
  #interval: NodeJS.Timeout | undefined

  add(deadline: Deadline): void {
    deadline.next = this.#first
    if (this.#first !== undefined) this.#first.previous = deadline
    this.#first = deadline
    this.#interval ??= setInterval(() => this.#look(), RESOLUTION_MS)
  }

  remove(deadline: Deadline): void {
    const { previous, next } = deadline
    if (previous !== undefined) previous.next = next
    else if (this.#first === deadline) this.#first = next
    if (next !== undefined) next.previous = previous
    deadline.previous = undefined
    deadline.next = undefined
  }

  #look(): void {
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

/** The deadline of whatever an exchange waits for at the moment; it passes up to 25 ms late, and never early. */
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

  /** Progress was made: the same time begins again. */
  extend(): void {
    if (this.atMs !== Number.POSITIVE_INFINITY) this.atMs = performance.now() + this.#lengthMs
  }

  clear(): void {
    this.atMs = Number.POSITIVE_INFINITY
    this.#clock.remove(this)
  }

  /** Clears the deadline and tells its owner. */
  pass(): void {
    this.clear()
    this.#owner.onDeadline()
  }
}

const RESOLUTION_MS = 25
