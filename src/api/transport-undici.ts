import { type LookupOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import { Agent, fetch } from 'undici'
import { isLoopbackHost } from '../http/host.ts'
import type { Fetch } from './transport.ts'

/** A fetch for names below `localhost`, which many systems can't resolve. */
export function createLoopbackFetch(): Fetch {
  const dispatcher = new Agent({ connect: { lookup: lookupLocally } })
  return (url, init) => fetch(url, { ...init, dispatcher })
}

/**
 * A fetch that trusts a further certificate authority in addition to the public ones, which the global one can't.
 *
 * @param ca PEM
 */
export function createTrustingFetch(ca: string): Fetch {
  const dispatcher = new Agent({ connect: { ca: [...tls.rootCertificates, ca], lookup: lookupLocally } })
  return (url, init) => fetch(url, { ...init, dispatcher })
}

/**
 * Resolves `localhost` and names below it to this machine, without DNS, as RFC 6761 section 6.3 demands; other names as usual.
 */
export const lookupLocally: LookupFunction = (host, options: LookupOptions, callback) => {
  if (!isLoopbackHost(host)) {
    lookup(host, options, callback)
    return
  }
  const addresses = loopback.filter(({ family }) => !options.family || options.family === family)
  const [first = v4] = addresses
  if (options.all) callback(null, [...addresses])
  else callback(null, first.address, first.family)
}

const v4 = { address: '127.0.0.1', family: 4 }
const loopback = [v4, { address: '::1', family: 6 }]
