import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isLoopbackHost } from '../http/host.ts'

/**
 * The addresses of a service, those last that failed lately. Node's connect tries one after the other (RFC 8305), but knows
 * nothing of earlier attempts, and takes an address for good once it accepts a connection, as the old one of a service may,
 * or a balancer with nothing behind it.
 */
export class Addresses {
  readonly #failedAtMs = new Map<string, number>()
  #known: readonly string[] = []

  readonly lookup: LookupFunction = (name, options, callback) =>
    lookupOnce(name, options, (fault, found, family) => {
      if (fault !== null || typeof found === 'string') return callback(fault, found, family)
      this.#known = found.map(({ address }) => address)
      const sorted = found.toSorted((a, b) => this.#order(a.address) - this.#order(b.address))
      callback(null, sorted)
    })

  fail(address: string): void {
    for (const each of this.#failedAtMs.keys()) if (this.#order(each) === 0) this.#failedAtMs.delete(each)
    this.#failedAtMs.set(address, performance.now())
  }

  hasOthers(than: ReadonlySet<string>): boolean {
    return this.#known.some((address) => !than.has(address))
  }

  /** Zero if it has not failed lately. */
  #order(address: string): number {
    const failedAtMs = this.#failedAtMs.get(address)
    return failedAtMs === undefined || performance.now() - failedAtMs > REMEMBERED_MS ? 0 : failedAtMs
  }
}

/**
 * Does one lookup for all connections that open at the same time: a burst after a pause would queue up for the same
 * result. Nothing is cached, so changes in DNS take effect as before.
 */
export function shareLookups(lookup: LookupFunction): LookupFunction {
  const waiting = new Map<string, Callback[]>()
  return (hostname, options, callback) => {
    const question = JSON.stringify([hostname, options.family, options.hints, options.all, options.order])
    const others = waiting.get(question)
    if (others !== undefined) return void others.push(callback)
    const callbacks = [callback]
    waiting.set(question, callbacks)
    lookup(hostname, options, (...result) => {
      waiting.delete(question)
      for (const each of callbacks) each(...result)
    })
  }
}

type Callback = Parameters<LookupFunction>[2]

/** For all services: a lookup takes one of four threads until the name server answers, and files are read by them too. */
// RFC 6761 section 6.3. Over plain http, whoever answers for a name below localhost would get the cookies.
const lookupOnce = shareLookups((name, options, callback) =>
  lookup(isLoopbackHost(name) ? 'localhost' : name, options, callback),
)
const REMEMBERED_MS = 600_000
