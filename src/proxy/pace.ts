/**
 * How fast waiting requests get connections, measured over the last round, which is one grant for each connection:
 * fewer would mislead where connections become free in bursts, and more would be out of date.
 */
export class Pace {
  readonly #grantedAtMs: Float64Array
  readonly #round: number
  #grants = 0

  /** @param round the number of connections */
  constructor(round: number) {
    this.#round = round
    this.#grantedAtMs = new Float64Array(round + 1)
  }

  /** A request that waited got a connection. */
  grant(nowMs: number): void {
    this.#grantedAtMs[this.#grants % (this.#round + 1)] = nowMs
    this.#grants += 1
  }

  /** No complete request waits: the time until one waits again says nothing about the pace. */
  reset(): void {
    this.#grants = 0
  }

  /** The time until that many more requests have a connection; 0 as long as it is unknown. */
  expectedMs(waiting: number): number {
    if (this.#grants <= this.#round) return 0
    const newest = this.#grantedAtMs[(this.#grants - 1) % (this.#round + 1)] ?? 0
    const oldest = this.#grantedAtMs[this.#grants % (this.#round + 1)] ?? 0
    return ((newest - oldest) / this.#round) * waiting
  }
}
