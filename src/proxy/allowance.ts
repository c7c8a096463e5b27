/** Whoever holds connections under an allowance. */
export interface Holder {
  /** Whether it has requests that wait for a connection which nobody is opening. */
  readonly isShort: boolean
  /** Something was given back. */
  onVacancy(): void
  /** Somebody else needs a connection: closes one that is idle, if there is one. */
  yieldIdle(): 'yielded' | 'none-idle'
}

/**
 * How many connections to the service this process may have. One allowance is shared by everything that opens
 * connections, so that a reload with another service can't double them.
 */
export class Allowance {
  #limit: number
  #open = 0
  #uploads = 0
  readonly #holders = new Set<Holder>()

  /** @param limit most connections at any time, at least 1 */
  constructor(limit: number) {
    this.#limit = limit
  }

  get limit(): number {
    return this.#limit
  }

  /** Connections that are open, being opened, or closing. */
  get open(): number {
    return this.#open
  }

  /** How many there are too many, after the limit became smaller. */
  get excess(): number {
    return Math.max(0, this.#open - this.#limit)
  }

  /** How many more connections may carry a request whose body is still arriving: these hold at most three quarters. */
  get uploadVacancies(): number {
    return Math.max(0, Math.max(1, Math.floor((this.#limit * 3) / 4)) - this.#uploads)
  }

  /** A smaller limit takes effect as connections close. */
  setLimit(limit: number): void {
    this.#limit = limit
    this.#wake()
  }

  /**
   * Asks for one more connection, which counts from now until `giveBack`. Where there is none left, an idle one of
   * another holder starts to close.
   */
  take(holder: Holder): 'taken' | 'none-left' {
    if (this.#open < this.#limit) {
      this.#open += 1
      return 'taken'
    }
    for (const other of this.#holders) if (other !== holder && other.yieldIdle() === 'yielded') break
    return 'none-left'
  }

  /** Whether somebody else needs what `holder` could keep. */
  isNeededBeside(holder: Holder): boolean {
    if (this.#open < this.#limit) return false
    for (const other of this.#holders) if (other !== holder && other.isShort) return true
    return false
  }

  giveBack(): void {
    this.#open -= 1
    this.#wake()
  }

  beginUpload(): void {
    this.#uploads += 1
  }

  endUpload(): void {
    this.#uploads -= 1
    this.#wake()
  }

  /** From now on `holder` is told of vacancies, after those who came before it. */
  join(holder: Holder): void {
    this.#holders.add(holder)
  }

  leave(holder: Holder): void {
    this.#holders.delete(holder)
  }

  #wake(): void {
    for (const holder of this.#holders) holder.onVacancy()
  }
}
