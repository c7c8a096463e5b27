import type { Endpoint, Probe } from '../../probe/probe.ts'
import type { Reach } from '../read/live-fact.ts'

/** Resolves an endpoint and tries each address; of the two of a loopback name, both this machine, the first that accepts is enough. */
export async function observeReach(endpoint: Endpoint, probe: Probe): Promise<Reach> {
  const resolution = await probe.resolve(endpoint)
  if (resolution.kind !== 'resolved') return { resolution, attempts: [] }
  const attempts: Reach['attempts'][number][] = []
  for (const address of resolution.addresses.slice(0, MOST_ADDRESSES)) {
    const connection = await probe.connect(endpoint, address)
    attempts.push({ address, connection })
    if (resolution.by === 'loopback' && connection.kind === 'open') break
  }
  return { resolution, attempts }
}

const MOST_ADDRESSES = 8
