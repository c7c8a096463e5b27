/** A connection to the service, as far as its reuse is concerned. */
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
  /** Idle connections are used last in, first out, so that surplus ones stay idle until they time out. */
  readonly idle: L[]
  dialing: number
}

/**
 * All connections to the service: idle, carrying a request, or being opened. Never more than the limit, whatever fails.
 */
export class Connections<L extends Link> {
  limit: number
  /** The connections of the config in force. */
  pool: Pool<L>
  readonly #links = new Map<L, { readonly pool: Pool<L>; readonly begun: number }>()
  readonly #dials = new Set<{ cancel(): void }>()

  constructor(dial: Dial<L>, limit: number) {
    this.limit = limit
    this.pool = { dial, idle: [], dialing: 0 }
  }

  get isEmpty(): boolean {
    return this.#links.size === 0 && this.#dials.size === 0
  }

  /** A lower limit takes effect as connections close. */
  replace(dial: Dial<L>, limit: number): void {
    this.limit = limit
    this.#closeIdleOf(this.pool)
    this.pool = { dial, idle: [], dialing: 0 }
  }

  /** Opens a connection; `begun` orders it among others, for `take`. @returns whether the limit permits it */
  open(
    pool: Pool<L>,
    begun: number,
    onOpen: (link: L) => void,
    onFailure: (error: Error) => void,
  ): 'begun' | 'too-many' {
    if (this.#links.size + this.#dials.size >= this.limit) {
      // An idle connection of the config in force starts to close for one of a former config.
      if (pool !== this.pool) this.pool.idle.shift()?.destroy()
      return 'too-many'
    }
    const end = () => {
      this.#dials.delete(dial)
      pool.dialing -= 1
    }
    const dial = pool.dial(
      (link) => {
        end()
        this.#links.set(link, { pool, begun })
        onOpen(link)
      },
      (error) => {
        end()
        onFailure(error)
      },
    )
    this.#dials.add(dial)
    pool.dialing += 1
    return 'begun'
  }

  /** @returns an idle connection that was begun then or later */
  take(pool: Pool<L>, sinceBegun: number): L | undefined {
    const at = pool.idle.findLastIndex((link) => (this.#links.get(link)?.begun ?? 0) >= sinceBegun)
    return at === -1 ? undefined : pool.idle.splice(at, 1)[0]
  }

  /** A connection can carry the next request, which `takeIt` may give to it; if not, that of a former config closes. */
  free(link: L, takeIt: () => void): void {
    const pool = this.#links.get(link)?.pool
    if (pool === undefined) return
    if (this.#links.size + this.#dials.size > this.limit) link.destroy()
    else pool.idle.push(link)
    takeIt()
    if (pool !== this.pool) this.#closeIdleOf(pool)
  }

  closed(link: L): void {
    const idle = this.#links.get(link)?.pool.idle ?? []
    this.#links.delete(link)
    const at = idle.indexOf(link)
    if (at !== -1) idle.splice(at, 1)
  }

  /** Closes every connection that carries nothing. */
  closeIdle(): void {
    for (const { pool } of this.#links.values()) this.#closeIdleOf(pool)
    for (const dial of this.#dials) dial.cancel()
  }

  destroy(): void {
    for (const link of this.#links.keys()) link.destroy()
  }

  #closeIdleOf({ idle }: Pool<L>): void {
    for (const link of idle.splice(0)) link.destroy()
  }
}
