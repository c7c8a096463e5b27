import type { LookupFunction } from 'node:net'

/**
 * The addresses of a service, those last at which TLS failed. To Node's connect, which tries one after the other (RFC 8305), an
 * address is good once it accepts a connection, as the old one of a service may, or a balancer with nothing behind it.
 */
export class Addresses {
  readonly #failedAtMs = new Map<string, number>()
  readonly lookup: LookupFunction
  #known: readonly string[] = []

  constructor(lookup: LookupFunction) {
    this.lookup = (name, options, callback) =>
      lookup(name, options, (fault, found, family) => {
        if (fault !== null || typeof found === 'string') return callback(fault, found, family)
        this.#known = found.map(({ address }) => address)
        callback(
          null,
          found.toSorted((a, b) => this.#order(a.address) - this.#order(b.address)),
        )
      })
  }

  /** TLS failed there. @returns whether that is new, and another address is left that has not failed lately */
  fail(address: string): boolean {
    for (const each of this.#failedAtMs.keys()) if (this.#order(each) === 0) this.#failedAtMs.delete(each)
    const isNew = !this.#failedAtMs.has(address)
    this.#failedAtMs.set(address, performance.now())
    return isNew && this.#known.some((known) => this.#order(known) === 0)
  }

  succeed(address: string): void {
    this.#failedAtMs.delete(address)
  }

  /** Zero if it has not failed lately. */
  #order(address: string): number {
    const failedAtMs = this.#failedAtMs.get(address)
    return failedAtMs === undefined || performance.now() - failedAtMs > REMEMBERED_MS ? 0 : failedAtMs
  }
}

const REMEMBERED_MS = 600_000
