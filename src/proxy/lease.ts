import type { BlockedExchange } from './blocked-clients.ts'
import type { Link, Pool } from './connections.ts'

/** Whether the body of an exchange's request is still arriving. */
export type Stage = 'arriving' | 'complete'

/** An attempt to send a request. */
export interface Attempt<L> {
  /** The attempt has this connection to itself until `free` or `closed`. */
  onConnection(link: L): void
  /** No connection could be opened; the lease has ended. */
  onDialFailure(error: Error): void
}

type LeaseState = 'admitted' | 'waiting' | 'held' | 'over'

/** The right of an exchange to be in flight; then its place in the queue; then to have a connection. */
export class Lease<L extends Link> {
  readonly exchange: BlockedExchange
  readonly pool: Pool<L>
  stage: Stage
  state: LeaseState = 'admitted'
  attempt: Attempt<L> | undefined
  /** When the exchange began to wait, on the clock of `performance.now()`. */
  waitingSinceMs = 0
  /** How many had begun to wait by then; connections are numbered likewise when they are begun. */
  arrival = 0
  /** `new`: only a connection will do that was begun after the exchange began to wait. */
  needs: 'any' | 'new' = 'any'
  readonly #counts: LeaseCounts

  constructor(exchange: BlockedExchange, pool: Pool<L>, stage: Stage, counts: LeaseCounts) {
    this.exchange = exchange
    this.pool = pool
    this.stage = stage
    this.#counts = counts
    this.#count(1)
  }

  /** Changes state and stage, and the counts with them. */
  become(state: LeaseState, stage: Stage = this.stage): void {
    this.#count(-1)
    this.state = state
    this.stage = stage
    this.#count(1)
  }

  #count(change: 1 | -1): void {
    if (this.state === 'over') return
    const [ofState, all] = [this.#counts[this.state], this.#counts.inFlight]
    ofState.all += change
    all.all += change
    if (this.stage === 'complete') return
    ofState.uploads += change
    all.uploads += change
  }
}

/** How many leases there are in each state, and in all of them. */
export class LeaseCounts {
  readonly admitted: Count = { all: 0, uploads: 0 }
  readonly waiting: Count = { all: 0, uploads: 0 }
  readonly held: Count = { all: 0, uploads: 0 }
  readonly inFlight: Count = { all: 0, uploads: 0 }
}

/** How many there are, and how many of these have a body that is still arriving. */
export interface Count {
  all: number
  uploads: number
}

/** How many more there may be until there are `most`, with uploads in three quarters of these. */
export function leftOf(most: number, { all, uploads }: Readonly<Count>): Count {
  return { all: most - all, uploads: Math.max(1, Math.floor((most * 3) / 4)) - uploads }
}

export function fits(stage: Stage, left: Readonly<Count>): boolean {
  return left.all > 0 && (stage === 'complete' || left.uploads > 0)
}
