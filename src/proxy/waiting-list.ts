import { LinkedList, Listed } from './linked-list.ts'
import { Pace } from './pace.ts'

/** A request that needs a connection of the kind `L`. */
export interface Requester<L> {
  /** The request has the connection to itself until `release` or `closed`. */
  onConnection(link: L): void
  /** No connection could be opened; the ticket has ended. */
  onDialFailure(error: Error): void
}

export class Ticket<L> extends Listed<Ticket<L>> {
  readonly requester: Requester<L>
  /** Order of arrival, set by `register`. */
  arrival = 0
  /** When it began to wait, on the clock of `performance.now()`. */
  waitingSinceMs = 0
  /** `uploading` while its body is still arriving. */
  stage: 'uploading' | 'complete'
  /** Whether its connection may not be reused after it. */
  readonly mayUseUp: boolean
  state: 'new' | 'waiting' | 'connected' | 'over' = 'new'
  /** Whether it is counted among the uploads that hold a connection. */
  isCountedUpload = false

  constructor(requester: Requester<L>, stage: 'uploading' | 'complete', mayUseUp = false) {
    super()
    this.requester = requester
    this.stage = stage
    this.mayUseUp = mayUseUp
  }
}

/**
 * The requests that wait for a connection, and in which order they get one: those that are sent again, then by arrival,
 * from two queues, since of those whose body is still arriving only some may have a connection at the same time. A third
 * queue, of those after which a connection may not be reused, takes turns with these and may have only some too: many of
 * them would have all others wait for new connections.
 */
export class WaitingList<L> {
  /** Requests to be sent again, because their connection broke before a response. */
  readonly #again = new LinkedList<Ticket<L>>()
  readonly #complete = new LinkedList<Ticket<L>>()
  readonly #uploading = new LinkedList<Ticket<L>>()
  readonly #usingUp = new LinkedList<Ticket<L>>()
  #wasUsingUp = false
  readonly #pace: Pace
  #arrivals = 0

  /** @param connections how many there may be */
  constructor(connections: number) {
    this.#pace = new Pace(connections)
  }

  get newest(): number {
    return this.#arrivals
  }

  get size(): number {
    return this.#allComplete + this.#uploading.size
  }

  /** When the longest waiting request began to wait, on the clock of `performance.now()`. */
  get waitingSinceMs(): number | undefined {
    let since: number | undefined
    for (const queue of [this.#again, this.#complete, this.#uploading, this.#usingUp])
      for (const { waitingSinceMs } of queue.toArray())
        since = Math.min(since ?? waitingSinceMs, waitingSinceMs)
    return since
  }

  /**
   * How long a complete request would wait if connections kept becoming free at the rate of the last round of waiting
   * requests. It is an underestimate: waiting uploads don't count, nor does the time in which none became free.
   */
  expectedWaitMs(mayUseUp: boolean): number {
    const all = this.#allComplete
    if (all === 0) return 0
    const usingUp = this.#usingUp.size
    const own = mayUseUp ? usingUp : all - usingUp
    return this.#pace.expectedMs(own + Math.min(own, all - own))
  }

  /** How many complete requests wait. */
  get #allComplete(): number {
    return this.#again.size + this.#complete.size + this.#usingUp.size
  }

  /** Notes that a request has arrived, whether it has to wait or not. */
  register(ticket: Ticket<L>): void {
    this.#arrivals += 1
    ticket.arrival = this.#arrivals
    ticket.state = 'waiting'
  }

  add(ticket: Ticket<L>): void {
    ticket.waitingSinceMs = performance.now()
    ;(ticket.stage === 'complete' ? this.#completeOf(ticket) : this.#uploading).add(ticket)
  }

  /** Adds a request that had a connection before: it is ahead of all others. */
  addAgain(ticket: Ticket<L>): void {
    ticket.waitingSinceMs = performance.now()
    this.#again.add(ticket)
  }

  /**
   * The body of a request has arrived completely.
   *
   * @returns whether the request was waiting as an upload
   */
  complete(ticket: Ticket<L>): boolean {
    const wasWaiting = this.#uploading.delete(ticket)
    if (wasWaiting) this.#completeOf(ticket).add(ticket)
    return wasWaiting
  }

  #completeOf({ mayUseUp }: Ticket<L>): LinkedList<Ticket<L>> {
    return mayUseUp ? this.#usingUp : this.#complete
  }

  delete(ticket: Ticket<L>): void {
    ticket.list?.delete(ticket)
    // Uploads may wait all the time, while complete requests hardly do.
    if (this.#allComplete === 0) this.#pace.reset()
  }

  /** A request gets a connection without waiting. */
  take({ stage, mayUseUp }: Ticket<L>): void {
    this.#wasUsingUp = mayUseUp && stage === 'complete'
  }

  grant(ticket: Ticket<L>): void {
    this.#wasUsingUp = ticket.list === this.#usingUp
    this.delete(ticket)
    if (this.#allComplete > 0) this.#pace.grant(performance.now())
  }

  /** The request that gets the next connection, while so many more uploads, and of those that use it up, may have one. */
  first(uploadVacancies: number, usingUpVacancies: number): Ticket<L> | undefined {
    const again = this.#again.first
    if (again !== undefined) return again
    const complete = this.#complete.first
    const uploading = uploadVacancies > 0 ? this.#uploading.first : undefined
    const usingUp = usingUpVacancies > 0 ? this.#usingUp.first : undefined
    if (usingUp !== undefined && !this.#wasUsingUp) return usingUp
    if (complete === undefined || uploading === undefined) return complete ?? uploading ?? usingUp
    return complete.arrival < uploading.arrival ? complete : uploading
  }

  /** The one that waited longest of those that may use up a connection, if most complete requests are such ones. */
  get displaceable(): Ticket<L> | undefined {
    return 2 * this.#usingUp.size > this.#allComplete ? this.#usingUp.first : undefined
  }

  /** How many requests may have a connection that is open or being opened. */
  eligible(uploadVacancies: number, usingUpVacancies: number): number {
    const uploading = Math.min(this.#uploading.size, uploadVacancies)
    return this.#again.size + this.#complete.size + uploading + Math.min(this.#usingUp.size, usingUpVacancies)
  }
}
