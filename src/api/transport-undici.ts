import { type LookupOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import type { Agent } from 'undici'
import { isLoopbackHost } from '../http/host.ts'
import type { Fetch } from './transport.ts'

/** A fetch for this machine: without DNS and without a proxy. */
export function createLoopbackFetch(): Fetch {
  return createFetch({ lookup: lookupLocally })
}

/**
 * A fetch that trusts a further certificate authority in addition to the public ones, which the global one can't.
 *
 * @param ca PEM
 */
export function createTrustingFetch(ca: string): Fetch {
  return createFetch({ ca: [...tls.rootCertificates, ca], lookup: lookupLocally })
}

/** undici is loaded at the first call, since that takes a quarter of the time of most commands. */
function createFetch(connect: NonNullable<Agent.Options['connect']>): Fetch {
  let opened: Promise<Fetch> | undefined
  return async (url, init) => {
    opened ??= import('undici').then(({ Agent, fetch }) => {
      const dispatcher = new Agent({ connect: { ...connect, rejectUnauthorized: true } })
      return (to, how) => fetch(to, { ...how, dispatcher })
    })
    return (await opened)(url, init)
  }
}

/** Resolves `localhost` and names below it to this machine, without DNS, as RFC 6761 section 6.3 demands; others as usual. */
export const lookupLocally: LookupFunction = (host, options: LookupOptions, callback) => {
  if (!isLoopbackHost(host)) {
    lookup(host, options, callback)
    return
  }
  const addresses = LOOPBACK.filter(({ family }) => !options.family || options.family === family)
  const [first = V4] = addresses
  if (options.all) callback(null, [...addresses])
  else callback(null, first.address, first.family)
}

const V4 = { address: '127.0.0.1', family: 4 }
const LOOPBACK = [V4, { address: '::1', family: 6 }]
