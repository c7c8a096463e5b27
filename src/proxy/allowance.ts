/** An owner of connections that share an allowance. */
export interface Holder {
  /** Whether it has waiting requests for which no connection is being opened. */
  readonly isShort: boolean
  /** A connection or an upload slot became free. */
  onVacancy(): void
  /** Another holder needs a connection: closes an idle one; returns whether there was one. */
  yieldIdle(): boolean
}

/**
 * Limits the connections from this process to the service. Everything that opens connections shares one allowance, so
 * a reload that changes the service can't double their number.
 */
export class Allowance {
  #limit: number
  #open = 0
  #uploads = 0
  readonly #holders = new Set<Holder>()

  /** @param limit maximum number of connections, at least 1 */
  constructor(limit: number) {
    this.#limit = limit
  }

  get limit(): number {
    return this.#limit
  }

  /** How many connections are used by requests whose body is still arriving. */
  get uploads(): number {
    return this.#uploads
  }

  /** Connections that are open, being opened, or closing. */
  get open(): number {
    return this.#open
  }

  /** How many connections exceed the limit after it was lowered. */
  get excess(): number {
    return Math.max(0, this.#open - this.#limit)
  }

  /** How many more connections may be used by requests whose body is still arriving: at most three quarters of all. */
  get uploadVacancies(): number {
    return Math.max(0, threeQuarters(this.#limit) - this.#uploads)
  }

  /**
   * How many may be used by complete requests after which they may not be reused: at most three quarters of what uploads
   * leave.
   *
   * @param missing how many uploads have used up
   */
  mostUsingUp(missing: number): number {
    return threeQuarters(this.#limit - this.#uploads - missing)
  }

  /** A lower limit takes effect as connections close. */
  setLimit(limit: number): void {
    this.#limit = limit
    this.#wake()
  }

  /**
   * Reserves one more connection, which counts until `giveBack`. If none is left, an idle connection of another holder
   * starts to close.
   *
   * @returns whether one was left
   */
  take(holder: Holder): boolean {
    if (this.#open < this.#limit) {
      this.#open += 1
      return true
    }
    for (const other of this.#holders) if (other !== holder && other.yieldIdle()) break
    return false
  }

  /** Whether another holder needs the connection that `holder` could keep. */
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

  /** Registers `holder` for `onVacancy` calls, made in the order of registration. */
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

function threeQuarters(connections: number): number {
  return Math.max(1, Math.floor((connections * 3) / 4))
}
