import { onTestFinished } from 'vitest'
import type { UpstreamSettings } from '../../src/proxy/dial.ts'
import {
  openUpstream,
  type RoundTrip,
  type Upstream,
  type UpstreamReceiver,
} from '../../src/proxy/upstream.ts'
import { openForTest } from '../support/open-for-test.ts'
import { type RecordingUpstream, type Script, startUpstream } from '../support/recording-upstream.ts'

/** The connections to a scripted service, without a proxy, for one test. */
export async function openConnections(script: Script, settings: Partial<UpstreamSettings> = {}) {
  const service = await openForTest(startUpstream(script))
  const upstream = openUpstream({
    origin: service.origin.replace('127.0.0.1', 'localhost'),
    extraCa: undefined,
    connectTimeoutMs: 10_000,
    connections: 1,
    connectionAgeMs: 60_000,
    ...settings,
  })
  onTestFinished(() => upstream.destroy())
  return { service, upstream }
}

/** One round trip of a GET; resolves at its end. `onData` also gets the trip. */
export function goRound(
  { service, upstream }: { readonly service: RecordingUpstream; readonly upstream: Upstream },
  onData: (chunk: Buffer, trip: () => RoundTrip) => ReturnType<UpstreamReceiver['onData']>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const trip: RoundTrip = upstream.send(
      { method: 'GET', path: '/', fields: ['Host', service.authority], body: undefined, mayUseUp: false },
      {
        onStart: () => {},
        onSent: () => {},
        onHead: () => {},
        onData: (chunk) => onData(chunk, () => trip),
        onEnd: resolve,
        onFailure: (kind) => reject(new Error(kind)),
      },
    )
  })
}
