import { BlockedClients, type BlockedExchange } from './blocked-clients.ts'
import { Connections, type Dial, type Link, type Pool } from './connections.ts'
import { type Attempt, type Count, fits, Lease, LeaseCounts, leftOf, type Stage } from './lease.ts'

/** A request gets no connection because the process stops. */
export class ClosedError extends Error {
  readonly code = 'UND_ERR_CLOSED'
}

/**
 * The exchanges in flight, and the queue of those that wait for a connection to the service. Each exchange has one `Lease`,
 * whose state says how far it is: admitted, waiting, held (it has a connection), over.
 *
 * - There are never more held leases than the limit of connections, whatever fails or is reloaded.
 * - Connections are given in the order of arrival. At most four times as many exchanges wait.
 * - Exchanges whose body is still arriving have at most three quarters of the connections, of the queue, and of what may
 *   be in flight, so that slow uploads never shut out a complete request.
 * - A connection is opened for the queue and not for one exchange: the first in line gets the first that is free. It
 *   belongs to one lease until it is free or closed.
 * - While anybody waits, a lease whose client has taken nothing for 2 seconds is revoked, the longest blocked first.
 */
export class Leases<L extends Link> {
  readonly #connections: Connections<L>
  readonly #counts = new LeaseCounts()
  /** Those that wait, the first in line first. */
  #queue = new Set<Lease<L>>()
  #arrivals = 0
  readonly #blocked = new BlockedClients()
  #state: 'open' | 'closing' | 'closed' = 'open'
  readonly #onEmpty: (() => void)[] = []

  constructor(dial: Dial<L>, limit: number) {
    this.#connections = new Connections(dial, limit)
  }

  /** The connections of the config in force, for new exchanges; an exchange keeps the pool that it began with. */
  get pool(): Pool<L> {
    return this.#connections.pool
  }

  get inFlight(): number {
    return this.#counts.inFlight.all
  }

  get waiting(): number {
    return this.#counts.waiting.all
  }

  /** When the first in line began to wait, on the clock of `performance.now()`. */
  get waitingSinceMs(): number | undefined {
    const [first] = this.#queue
    return first?.waitingSinceMs
  }

  /** New exchanges use new connections; a lower limit takes effect as connections close. */
  replace(dial: Dial<L>, limit: number): void {
    this.#connections.replace(dial, limit)
    this.#pump()
  }

  /** Lets an exchange in if fewer than `most` are in flight. @returns `undefined` if not */
  admit(exchange: BlockedExchange, pool: Pool<L>, stage: Stage, most: number): Lease<L> | undefined {
    if (stage === 'complete' && this.#counts.inFlight.all >= most) this.#blocked.evict(1)
    if (!fits(stage, leftOf(most, this.#counts.inFlight))) return undefined
    return new Lease(exchange, pool, stage, this.#counts)
  }

  /**
   * Puts an exchange in line; its attempt gets `onConnection`, maybe before this returns, or later `onDialFailure`.
   *
   * @returns whether it may wait
   */
  enqueue(lease: Lease<L>, attempt: Attempt<L>): 'queued' | 'overloaded' {
    const left = leftOf(MOST_WAITING * this.#connections.limit, this.#counts.waiting)
    if (!fits(lease.stage, left)) return 'overloaded'
    lease.attempt = attempt
    this.#enter(lease, 'last')
    if (this.#state !== 'open') queueMicrotask(() => this.#fail(lease, new ClosedError()))
    else this.#pump()
    return 'queued'
  }

  /**
   * The connection of a lease broke before a response came: it gets a new one, before all others. Idle ones may have broken too.
   */
  retake(lease: Lease<L>): void {
    if (lease.state !== 'held') return
    lease.needs = 'new'
    this.#enter(lease, 'first')
    if (this.#state === 'closed') this.#fail(lease, new ClosedError())
    else this.#pump()
  }

  #enter(lease: Lease<L>, at: 'first' | 'last'): void {
    lease.become('waiting')
    lease.waitingSinceMs = performance.now()
    this.#arrivals += 1
    lease.arrival = this.#arrivals
    if (at === 'last') this.#queue.add(lease)
    else this.#queue = new Set([lease, ...this.#queue])
    this.#blocked.evictFor(() => this.#lacking())
  }

  /** All of a request has arrived. */
  complete(lease: Lease<L> | undefined): void {
    if (lease === undefined || lease.stage === 'complete' || lease.state === 'over') return
    lease.become(lease.state, 'complete')
    this.#pump()
  }

  /** An exchange is no longer in flight; its connection is freed or closed separately. */
  end(lease: Lease<L> | undefined): void {
    if (lease === undefined || lease.state === 'over') return
    lease.become('over')
    this.#blocked.delete(lease.exchange)
    this.#queue.delete(lease)
    this.#pump()
    this.#checkEmpty()
  }

  /** A client does not take what was sent to it. */
  block(lease: Lease<L> | undefined): void {
    if (lease !== undefined && lease.state !== 'over') this.#blocked.add(lease.exchange)
  }

  unblock(lease: Lease<L> | undefined): void {
    if (lease !== undefined) this.#blocked.delete(lease.exchange)
  }

  /** A connection was opened, or its request has ended so that it can carry the next one. */
  free(link: L): void {
    this.#connections.free(link, () => this.#pump())
    this.#checkEmpty()
  }

  closed(link: L): void {
    this.#connections.closed(link)
    this.#pump()
    this.#checkEmpty()
  }

  /** Lets exchanges end, then closes every connection. It may be called repeatedly. */
  close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing'
    return new Promise((resolve) => {
      this.#onEmpty.push(resolve)
      this.#checkEmpty()
    })
  }

  /** Closes every connection now; waiting exchanges fail. */
  destroy(): Promise<void> {
    this.#state = 'closed'
    for (const lease of this.#queue) this.#fail(lease, new ClosedError())
    this.#connections.destroy()
    return this.close()
  }

  /** Gives free connections to those that wait, and opens as many as the others need. */
  #pump(): void {
    if (this.#queue.size === 0) return
    const granted: [Lease<L>, L][] = []
    const needed = new Map<Pool<L>, number>()
    let last: 'begun' | 'too-many' = 'begun'
    for (const lease of this.#eligible()) {
      const { pool } = lease
      const link = this.#connections.take(pool, lease.needs === 'new' ? lease.arrival : 0)
      if (link !== undefined) granted.push([lease, link])
      else {
        const count = (needed.get(pool) ?? 0) + 1
        needed.set(pool, count)
        if (count > pool.dialing && last === 'begun') last = this.#open(pool)
      }
    }
    for (const [lease] of granted) {
      this.#queue.delete(lease)
      lease.become('held')
    }
    // Whatever these calls lead to finds the numbers right.
    for (const [lease, link] of granted) {
      if (lease.state === 'held') lease.attempt?.onConnection(link)
      else this.free(link)
    }
  }

  /** Those in the queue that may have a connection now, in order. */
  #eligible(): readonly Lease<L>[] {
    const left = this.#left
    const eligible: Lease<L>[] = []
    for (const lease of this.#queue) {
      if (left.all <= 0) break
      if (!fits(lease.stage, left)) continue
      if (lease.stage === 'arriving') left.uploads -= 1
      left.all -= 1
      eligible.push(lease)
    }
    return eligible
  }

  get #left(): Count {
    return leftOf(this.#connections.limit, this.#counts.held)
  }

  #open(pool: Pool<L>): 'begun' | 'too-many' {
    const arrivals = this.#arrivals
    return this.#connections.open(
      pool,
      arrivals,
      (link) => {
        if (this.#state === 'closed') link.destroy()
        else this.free(link)
      },
      (error) => {
        // A request that came after the attempt began gets an attempt of its own.
        const lease = this.#eligible().find((each) => each.pool === pool && each.arrival <= arrivals)
        if (lease !== undefined) this.#fail(lease, error)
        this.#pump()
        this.#checkEmpty()
      },
    )
  }

  #fail(lease: Lease<L>, error: Error): void {
    if (lease.state !== 'waiting') return
    this.end(lease)
    lease.attempt?.onDialFailure(error)
  }

  /** How many of those that wait may not have a connection until others give theirs back; `undefined` if nobody waits. */
  #lacking(): number | undefined {
    const { all, uploads } = this.#counts.waiting
    const left = this.#left
    return all === 0 ? undefined : all - uploads + Math.min(uploads, Math.max(0, left.uploads)) - left.all
  }

  #checkEmpty(): void {
    if (this.#state === 'open') return
    if (this.#state === 'closing' && this.#counts.waiting.all + this.#counts.held.all > 0) return
    this.#connections.closeIdle()
    if (!this.#connections.isEmpty) return
    this.#state = 'closed'
    for (const resolve of this.#onEmpty.splice(0)) resolve()
  }
}

/** At most so many exchanges wait for each connection. */
const MOST_WAITING = 4
