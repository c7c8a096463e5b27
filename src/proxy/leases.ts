import { BlockedClients, type BlockedExchange } from './blocked-clients.ts'

/** What leases need to know about a connection to the service. */
export interface Link {
  /** Starts closing; `Leases.closed` must be called once it is closed. */
  destroy(): void
}

/** Opens a connection and calls exactly one of the callbacks, asynchronously; `cancel` makes that happen soon. */
export type Dial<L extends Link> = (
  onOpen: (link: L) => void,
  onFailure: (error: Error) => void,
) => { cancel(): void }

/** The connections of one config: those that are idle, and how many are being opened. */
export interface Pool<L extends Link> {
  readonly dial: Dial<L>
  /** Used last in, first out, so that surplus connections stay idle until they time out. */
  readonly idle: L[]
  dialing: number
}

/** Whether the body of an exchange's request is still arriving. */
export type Stage = 'uploading' | 'complete'

/** An attempt to send a request. */
export interface Attempt<L> {
  /** It has the connection to itself until `free` or `closed`. */
  onConnection(link: L): void
  /** No connection could be opened; the lease has ended. */
  onDialFailure(error: Error): void
}

/** A request gets no connection because the process stops. */
export class ClosedError extends Error {
  readonly code = 'UND_ERR_CLOSED'
}

/** The right of an exchange to be in flight; then its place in the queue; then to have a connection. */
export class Lease<L extends Link> {
  readonly exchange: BlockedExchange
  readonly pool: Pool<L>
  stage: Stage
  state: 'admitted' | 'waiting' | 'held' | 'over' = 'admitted'
  attempt: Attempt<L> | undefined
  /** When it began to wait, on the clock of `performance.now()`, and how many had begun before. */
  waitingSinceMs = 0
  arrival = 0

  constructor(exchange: BlockedExchange, pool: Pool<L>, stage: Stage) {
    this.exchange = exchange
    this.pool = pool
    this.stage = stage
  }
}

/**
 * The exchanges in flight, the queue of those that wait for a connection to the service, and the connections.
 *
 * - There are never more leases than the limit, and never more connections, whatever fails or is reloaded.
 * - Leases are given in the order of arrival. At most four times as many exchanges wait.
 * - Those whose body is still arriving hold at most three quarters of the leases, of the queue, and of what may be in
 *   flight, so that slow uploads never shut out a complete request.
 * - A connection is opened for the queue and not for one exchange: the first in line gets the first that is free. It
 *   belongs to one lease until it is free or closed.
 * - While anybody waits, a lease whose client has taken nothing for 2 seconds is revoked, the longest first.
 */
export class Leases<L extends Link> {
  #limit: number
  #pool: Pool<L>
  readonly #links = new Map<L, Pool<L>>()
  readonly #dials = new Set<{ cancel(): void }>()
  readonly #inFlight = new Tally()
  readonly #waiting = new Tally()
  readonly #held = new Tally()
  /** In the order in which they get a lease. */
  #queue = new Set<Lease<L>>()
  #arrivals = 0
  readonly #blocked = new BlockedClients()
  #evicting: NodeJS.Timeout | undefined
  #state: 'open' | 'closing' | 'closed' = 'open'
  readonly #onEmpty: (() => void)[] = []

  constructor(dial: Dial<L>, limit: number) {
    this.#limit = limit
    this.#pool = { dial, idle: [], dialing: 0 }
  }

  /** The connections for new exchanges. */
  get pool(): Pool<L> {
    return this.#pool
  }

  get inFlight(): number {
    return this.#inFlight.all
  }

  get waiting(): number {
    return this.#waiting.all
  }

  /** When the first in line began to wait, on the clock of `performance.now()`. */
  get waitingSinceMs(): number | undefined {
    const [first] = this.#queue
    return first?.waitingSinceMs
  }

  /** New exchanges use new connections; a lower limit takes effect as connections close. */
  replace(dial: Dial<L>, limit: number): void {
    this.#limit = limit
    for (const link of this.#pool.idle.splice(0)) link.destroy()
    this.#pool = { dial, idle: [], dialing: 0 }
    this.#pump()
  }

  /** Counts an exchange as one of at most so many in flight. @returns `undefined` if there are too many */
  admit(exchange: BlockedExchange, pool: Pool<L>, stage: Stage, most: number): Lease<L> | undefined {
    if (stage === 'complete' && this.#inFlight.all >= most) this.#blocked.evict(1)
    if (!this.#inFlight.hasRoom(stage, most)) return undefined
    this.#inFlight.add(stage)
    return new Lease(exchange, pool, stage)
  }

  /**
   * The attempt may be sent now. Its `onConnection` may be called before this returns; `onDialFailure` is not.
   *
   * @returns whether it may wait
   */
  take(lease: Lease<L>, attempt: Attempt<L>): 'queued' | 'overloaded' {
    if (!this.#waiting.hasRoom(lease.stage, MOST_WAITING * this.#limit)) return 'overloaded'
    lease.attempt = attempt
    this.#arrivals += 1
    lease.arrival = this.#arrivals
    this.#enter(lease, 'last')
    if (this.#state !== 'open') queueMicrotask(() => this.#fail(lease, new ClosedError()))
    else this.#pump()
    return 'queued'
  }

  /** The connection of a lease broke before a response came: it gets a new one, before all others. */
  retake(lease: Lease<L>): void {
    if (lease.state !== 'held') return
    this.#held.remove(lease.stage)
    this.#enter(lease, 'first')
    // Idle connections are as old as the one that broke.
    for (const link of lease.pool.idle.splice(0)) link.destroy()
    if (this.#state === 'closed') this.#fail(lease, new ClosedError())
    else this.#pump()
  }

  #enter(lease: Lease<L>, at: 'first' | 'last'): void {
    lease.state = 'waiting'
    lease.waitingSinceMs = performance.now()
    this.#waiting.add(lease.stage)
    if (at === 'last') this.#queue.add(lease)
    else this.#queue = new Set([lease, ...this.#queue])
    this.#evicting ??= setInterval(() => this.#evictForQueue(), EVICT_EVERY_MS)
  }

  /** All of a request has arrived. */
  complete(lease: Lease<L>): void {
    if (lease.stage === 'complete' || lease.state === 'over') return
    lease.stage = 'complete'
    this.#inFlight.uploads -= 1
    if (lease.state === 'waiting') this.#waiting.uploads -= 1
    if (lease.state === 'held') this.#held.uploads -= 1
    this.#pump()
  }

  /** An exchange is over; its connection is freed or closed separately. */
  end(lease: Lease<L>): void {
    const { state, stage } = lease
    if (state === 'over') return
    lease.state = 'over'
    this.#inFlight.remove(stage)
    this.#blocked.delete(lease.exchange)
    this.#queue.delete(lease)
    if (state === 'waiting') this.#waiting.remove(stage)
    if (state === 'held') this.#held.remove(stage)
    this.#pump()
    this.#checkEmpty()
  }

  /** A client does not take what was sent to it. */
  block({ state, exchange }: Lease<L>): void {
    if (state !== 'over') this.#blocked.add(exchange)
  }

  unblock({ exchange }: Lease<L>): void {
    this.#blocked.delete(exchange)
  }

  /** A connection was opened, or its request has ended so that it can carry the next one. */
  free(link: L): void {
    const pool = this.#links.get(link)
    if (pool === undefined) return
    if (this.#links.size + this.#dials.size > this.#limit) link.destroy()
    else pool.idle.push(link)
    this.#pump()
    if (pool === this.#pool && this.#state === 'open') return
    for (const surplus of pool.idle.splice(0)) surplus.destroy()
  }

  closed(link: L): void {
    const pool = this.#links.get(link)
    if (pool === undefined) return
    this.#links.delete(link)
    const at = pool.idle.indexOf(link)
    if (at !== -1) pool.idle.splice(at, 1)
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
    for (const link of this.#links.keys()) link.destroy()
    return this.close()
  }

  /** Gives leases to those that wait, and opens as many connections as they need. */
  #pump(): void {
    if (this.#queue.size === 0) return
    const granted: [Lease<L>, L][] = []
    const needed = new Map<Pool<L>, number>()
    for (const lease of this.#eligible()) {
      const { pool } = lease
      const link = pool.idle.pop()
      if (link !== undefined) granted.push([lease, link])
      else {
        const count = (needed.get(pool) ?? 0) + 1
        needed.set(pool, count)
        if (count > pool.dialing && !this.#open(pool)) break
      }
    }
    for (const [lease] of granted) this.#hold(lease)
    // Whatever these calls lead to finds the numbers right.
    for (const [lease, link] of granted) {
      if (lease.state === 'held') lease.attempt?.onConnection(link)
      else this.free(link)
    }
  }

  /** Those that a lease is left for, in order. */
  #eligible(): readonly Lease<L>[] {
    let left = this.#limit - this.#held.all
    let leftForUploads = threeQuarters(this.#limit) - this.#held.uploads
    const eligible: Lease<L>[] = []
    for (const lease of this.#queue) {
      if (left <= 0) break
      if (lease.stage === 'uploading' && leftForUploads <= 0) continue
      if (lease.stage === 'uploading') leftForUploads -= 1
      left -= 1
      eligible.push(lease)
    }
    return eligible
  }

  #hold(lease: Lease<L>): void {
    this.#queue.delete(lease)
    this.#waiting.remove(lease.stage)
    lease.state = 'held'
    this.#held.add(lease.stage)
  }

  /** @returns whether the limit permits it; if not, an idle connection of another config starts to close */
  #open(pool: Pool<L>): boolean {
    if (this.#links.size + this.#dials.size >= this.#limit) {
      if (pool !== this.#pool) this.#pool.idle.shift()?.destroy()
      return false
    }
    const arrivals = this.#arrivals
    const end = () => {
      this.#dials.delete(dial)
      pool.dialing -= 1
    }
    const dial = pool.dial(
      (link) => {
        end()
        this.#links.set(link, pool)
        if (this.#state === 'closed') link.destroy()
        else this.free(link)
      },
      (error) => {
        end()
        // A request that came after the attempt began gets an attempt of its own.
        const lease = this.#eligible().find((each) => each.pool === pool)
        if (lease !== undefined && lease.arrival <= arrivals) this.#fail(lease, error)
        this.#pump()
        this.#checkEmpty()
      },
    )
    this.#dials.add(dial)
    pool.dialing += 1
    return true
  }

  #fail(lease: Lease<L>, error: Error): void {
    if (lease.state !== 'waiting') return
    this.end(lease)
    lease.attempt?.onDialFailure(error)
  }

  #evictForQueue(): void {
    const left = this.#limit - this.#held.all
    const uploads = Math.min(this.#waiting.uploads, threeQuarters(this.#limit) - this.#held.uploads)
    this.#blocked.evict(this.#waiting.all - this.#waiting.uploads + Math.max(0, uploads) - left)
    if (this.#queue.size > 0) return
    clearInterval(this.#evicting)
    this.#evicting = undefined
  }

  #checkEmpty(): void {
    if (this.#state === 'open') return
    if (this.#state === 'closing' && (this.#waiting.all > 0 || this.#held.all > 0)) return
    for (const pool of new Set([this.#pool, ...this.#links.values()]))
      for (const link of pool.idle.splice(0)) link.destroy()
    for (const dial of this.#dials) dial.cancel()
    if (this.#links.size > 0 || this.#dials.size > 0) return
    this.#state = 'closed'
    for (const resolve of this.#onEmpty.splice(0)) resolve()
  }
}

/** How many exchanges there are of a kind, and how many of them have a body that is still arriving. */
class Tally {
  all = 0
  uploads = 0

  hasRoom(stage: Stage, most: number): boolean {
    return this.all < most && (stage === 'complete' || this.uploads < threeQuarters(most))
  }

  add(stage: Stage): void {
    this.all += 1
    if (stage === 'uploading') this.uploads += 1
  }

  remove(stage: Stage): void {
    this.all -= 1
    if (stage === 'uploading') this.uploads -= 1
  }
}

function threeQuarters(of: number): number {
  return Math.max(1, Math.floor((of * 3) / 4))
}

/** So many times as many may wait as there are leases. */
const MOST_WAITING = 4
const EVICT_EVERY_MS = 100
