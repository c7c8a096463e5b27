/**
 * How fast requests that wait get connections, by the last of them. As many as there are connections make a round: less
 * would mislead where connections come free in bursts, and more would be old news.
 */
export class Pace {
  readonly #grantedAtMs: Float64Array
  readonly #round: number
  #grants = 0

  /** @param round how many connections there are */
  constructor(round: number) {
    this.#round = round
    this.#grantedAtMs = new Float64Array(round + 1)
  }

  /** A request that waited got a connection. */
  grant(nowMs: number): void {
    this.#grantedAtMs[this.#grants % (this.#round + 1)] = nowMs
    this.#grants += 1
  }

  /** Nobody waits any more: the time until somebody waits again says nothing about the pace. */
  rest(): void {
    this.#grants = 0
  }

  /** How long it takes until this many more have got one; 0 as long as that is not known. */
  expectedMs(waiting: number): number {
    if (this.#grants <= this.#round) return 0
    const newest = this.#grantedAtMs[(this.#grants - 1) % (this.#round + 1)] ?? 0
    const oldest = this.#grantedAtMs[this.#grants % (this.#round + 1)] ?? 0
    return ((newest - oldest) / this.#round) * waiting
  }
}
