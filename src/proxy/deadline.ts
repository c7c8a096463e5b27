import { LinkedList, Listed } from './linked-list.ts'

export interface DeadlineOwner {
  onDeadline(): void
}

/**
 * The clock of all exchanges of a process. A deadline moves several times in every exchange and hardly ever passes, so
 * moving it only leaves a mark: one interval starts all that were moved since it last ran, and compares the others. It is
 * cleared when no deadline is open.
 *
 * Timers run before what has arrived is read. So the time in which the process was stopped hardly counts.
 */
export class DeadlineClock {
  readonly #open = new LinkedList<Deadline>()
  readonly #onTick: () => void
  #interval: NodeJS.Timeout | undefined
  #nowMs = 0
  #checkedAtMs = 0

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
    const checkedAtMs = performance.now()
    this.#nowMs += Math.min(checkedAtMs - this.#checkedAtMs, LONGEST_STEP_MS)
    this.#checkedAtMs = checkedAtMs
    for (const deadline of this.#open.toArray()) deadline.compare(this.#nowMs)
    this.#onTick()
  }
}

/** The deadline for what an exchange currently waits for; it passes up to 50 ms late if the process runs, never early. */
export class Deadline extends Listed<Deadline> {
  readonly #clock: DeadlineClock
  readonly #owner: DeadlineOwner
  #state: 'clear' | 'moved' | 'started' = 'clear'
  #lengthMs = 0
  /** Once it has started. */
  #atMs = 0

  constructor(clock: DeadlineClock, owner: DeadlineOwner) {
    super()
    this.#clock = clock
    this.#owner = owner
  }

  set(lengthMs: number): void {
    if (this.#state === 'clear') this.#clock.add(this)
    this.#state = 'moved'
    this.#lengthMs = lengthMs
  }

  /** Progress was made: restarts the deadline with the same length. */
  extend(): void {
    if (this.#state === 'started') this.#state = 'moved'
  }

  clear(): void {
    this.#state = 'clear'
    this.#clock.remove(this)
  }

  /** For the clock: starts it, or calls its owner if it has passed. */
  compare(nowMs: number): void {
    if (this.#state === 'moved') {
      this.#state = 'started'
      this.#atMs = nowMs + this.#lengthMs
    } else if (this.#state === 'started' && this.#atMs <= nowMs) {
      this.clear()
      this.#owner.onDeadline()
    }
  }
}

const RESOLUTION_MS = 25
const LONGEST_STEP_MS = 250
