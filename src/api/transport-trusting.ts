import { rootCertificates } from 'node:tls'
import { Agent, fetch } from 'undici'
import type { Fetch } from './transport.ts'
import { lookupLocally } from './transport-loopback.ts'

/**
 * A fetch that trusts one more certificate authority beside the public ones; the global one can't be told to.
 *
 * @param ca PEM
 */
export function toTrustingFetch(ca: string): Fetch {
  const dispatcher = new Agent({ connect: { ca: [...rootCertificates, ca], lookup: lookupLocally } })
  return (url, init) => fetch(url, { ...init, dispatcher })
}
