import { LinkedList, Listed } from './linked-list.ts'

/** An exchange whose client may not read its response. */
export interface Unread {
  /** What it holds meanwhile: a connection to the service and a place among the exchanges, a place, or neither. */
  readonly holds: 'connection' | 'place' | 'nothing'
  /** Octets that the kernel has not taken. */
  readonly unsentOctets: number
  /** Octets of its body so far. */
  readonly responseOctets: number
  /** Cuts the response, and frees its place at once. */
  giveWay(): void
}

export class Stall extends Listed<Stall> {
  readonly exchange: Unread
  unsentOctets: number
  responseOctets: number
  sinceMs = performance.now()

  constructor(exchange: Unread) {
    super()
    this.exchange = exchange
    this.unsentOctets = exchange.unsentOctets
    this.responseOctets = exchange.responseOctets
  }
}

/**
 * The responses that wait for their clients to read, in the order in which they began to wait. A client that never reads
 * pays next to nothing for what it holds. So where another request needs that, the one that waited longest gives way.
 */
export class Stalls {
  readonly #list = new LinkedList<Stall>()
  /** Those that hold nothing but their own memory, such as refusals. */
  #spare = 0

  begin(exchange: Unread): Stall {
    const stall = new Stall(exchange)
    this.#list.add(stall)
    if (exchange.holds === 'nothing') {
      this.#spare += 1
      if (this.#spare > MOST_SPARE.ever) this.#find('nothing', false, Number.NEGATIVE_INFINITY)?.giveWay()
    }
    return stall
  }

  end(stall: Stall): void {
    if (this.#list.delete(stall) && stall.exchange.holds === 'nothing') this.#spare -= 1
  }

  /**
   * @param places how many there are for complete requests
   * @returns whether one became free
   */
  freePlace(places: number): boolean {
    // Honest clients that pause are few. Where half of all responses are unread, none gets time for what was read before.
    const exchange = this.#find('place', this.#list.size - this.#spare > places / 2)
    exchange?.giveWay()
    return exchange !== undefined
  }

  /**
   * Frees connections for the requests that lack one, and the memory of answers that nobody reads.
   *
   * @param connections how many there are for complete requests
   * @returns how many connections it freed
   */
  relieve(lacking: () => number, connections: number): number {
    if (this.#list.first === undefined) return 0
    let freed = 0
    let left = lacking()
    const isCrowd = left > 0 && this.#countConnections() > connections / 2
    for (; left > 0; left -= 1) {
      const exchange = this.#find('connection', isCrowd)
      if (exchange === undefined) break
      exchange.giveWay()
      freed += 1
    }
    while (this.#spare > MOST_SPARE.long) {
      const exchange = this.#find('nothing')
      if (exchange === undefined) break
      exchange.giveWay()
    }
    return freed
  }

  /** Others are complete and only unread: without them, no more connections would be free. */
  #countConnections(): number {
    return this.#list.toArray().filter(({ exchange }) => exchange.holds === 'connection').length
  }

  /**
   * The one that has waited longest for its client, and holds that. In a crowd, the one of which least was taken: a download
   * that goes on slowly has more than those that nobody reads.
   */
  #find(what: Unread['holds'], isCrowd = false, graceMs = isCrowd ? CROWD_GRACE_MS : GRACE_MS) {
    const latestMs = performance.now() - graceMs
    let least: Unread | undefined
    let looks = 0
    let stall = this.#list.first
    while (stall !== undefined && stall.sinceMs <= latestMs && looks < MOST_LOOKS) {
      const { exchange, next } = stall
      const { holds, unsentOctets, responseOctets } = exchange
      const isLate = isCrowd || stall.sinceMs + responseOctets / OCTETS_PER_MS <= latestMs
      if (unsentOctets < stall.unsentOctets || responseOctets > stall.responseOctets) {
        stall.unsentOctets = unsentOctets
        stall.responseOctets = responseOctets
        stall.sinceMs = performance.now()
        this.#list.delete(stall)
        this.#list.add(stall)
      } else if (isLate && (holds === what || (what === 'place' && holds === 'connection'))) {
        if (!isCrowd) return exchange
        if (responseOctets < (least?.responseOctets ?? Number.POSITIVE_INFINITY)) least = exchange
        looks += 1
      }
      stall = next
    }
    return least
  }
}

/**
 * The kernel shows that a client reads only after a third of what it holds for it, which may be most of the response so
 * far. So who has taken more gets more time: those that read 50 KB a second show it by then.
 */
const GRACE_MS = 2_000
const CROWD_GRACE_MS = 500
const OCTETS_PER_MS = 150
/** So that a request costs no more where a great many are unread. */
const MOST_LOOKS = 256
/** How many answers that hold nothing may be unread: for longer than that, and at any moment. */
const MOST_SPARE = { long: 64, ever: 512 }
