/** An exchange whose client does not take all that was sent to it. */
export interface BlockedExchange {
  /** Octets of its response that the kernel has not taken. */
  readonly unsentOctets: number
  /** Its client takes nothing, and another needs its lease: cuts the response, and ends the lease at once. */
  revoke(): void
}

/** The exchanges whose client has not taken all that was sent, the longest first. */
export class BlockedClients {
  /** What each had unsent when it was looked at last, and when that was. */
  readonly #exchanges = new Map<
    BlockedExchange,
    { readonly unsentOctets: number; readonly sinceMs: number }
  >()
  #timer: NodeJS.Timeout | undefined

  add(exchange: BlockedExchange): void {
    this.#exchanges.delete(exchange)
    this.#exchanges.set(exchange, { unsentOctets: exchange.unsentOctets, sinceMs: performance.now() })
  }

  delete(exchange: BlockedExchange): void {
    this.#exchanges.delete(exchange)
  }

  /** Evicts as many as others lack, again and again, until nobody lacks any. */
  evictFor(lacking: () => number | undefined): void {
    this.#timer ??= setInterval(() => {
      const count = lacking()
      if (count !== undefined) return this.evict(count)
      clearInterval(this.#timer)
      this.#timer = undefined
    }, EVICT_EVERY_MS)
  }

  /** Revokes so many leases whose client has taken nothing for a while, the longest first. */
  evict(count: number): void {
    const latestMs = performance.now() - GRACE_MS
    let left = count
    for (const [exchange, { unsentOctets, sinceMs }] of this.#exchanges) {
      if (left <= 0 || sinceMs > latestMs) return
      this.#exchanges.delete(exchange)
      if (exchange.unsentOctets < unsentOctets) this.add(exchange)
      else {
        left -= 1
        exchange.revoke()
      }
    }
  }
}

const GRACE_MS = 2_000
const EVICT_EVERY_MS = 100
