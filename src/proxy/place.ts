import type { FailureKind } from '../forward/failure.ts'
import type { Stall, Unread } from './stalls.ts'
import type { Stage, Traffic } from './traffic.ts'

/** What one exchange takes of what all share: a place among those in flight, and one among those that nobody reads. */
export class Place {
  readonly #traffic: Traffic
  #stage: 'none' | Stage = 'none'
  #stall: Stall | undefined

  constructor(traffic: Traffic) {
    this.#traffic = traffic
  }

  /** Whether it counts among the exchanges in flight. */
  get isTaken(): boolean {
    return this.#stage !== 'none'
  }

  get isStalled(): boolean {
    return this.#stall !== undefined
  }

  /** @returns why there is no place */
  take(stage: Stage, limit: number, others?: { displace(): boolean }): FailureKind | undefined {
    const obstacle = this.#traffic.take(stage, limit, others)
    if (obstacle !== undefined) return obstacle
    this.#stage = stage
    return undefined
  }

  /** All of the request has arrived, or no more of it is awaited. */
  endUpload(): void {
    if (this.#stage !== 'uploading') return
    this.#stage = 'complete'
    this.#traffic.uploads -= 1
  }

  /** The client does not read. */
  beginStall(exchange: Unread): void {
    this.#stall ??= this.#traffic.stalls.begin(exchange)
  }

  endStall(): void {
    if (this.#stall !== undefined) this.#traffic.stalls.end(this.#stall)
    this.#stall = undefined
  }

  /** Gives everything back. */
  leave(): void {
    this.endStall()
    if (this.#stage !== 'none') this.#traffic.leave(this.#stage)
    this.#stage = 'none'
  }
}
