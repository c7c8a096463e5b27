import { onTestFinished } from 'vitest'
import { Addresses } from '../../src/proxy/addresses.ts'
import { type Connection, compileConnect } from '../../src/proxy/connection.ts'
import type { UpstreamSettings } from '../../src/proxy/dial.ts'
import { Leases } from '../../src/proxy/leases.ts'
import { type AttemptReceiver, UpstreamAttempt } from '../../src/proxy/upstream.ts'
import { openForTest } from '../support/open-for-test.ts'
import { type RecordingUpstream, type Script, startUpstream } from '../support/recording-upstream.ts'

/** So many leases of connections to a scripted service, without a proxy, for one test. */
export async function openConnections(
  script: Script,
  { connections = 1, ...settings }: Partial<UpstreamSettings> & { readonly connections?: number } = {},
) {
  const service = await openForTest(startUpstream(script))
  const upstream = {
    origin: service.origin.replace('127.0.0.1', 'service.localhost'),
    extraCa: undefined,
    connectTimeoutMs: 10_000,
    connectionAgeMs: 60_000,
    ...settings,
  }
  const leases: Leases<Connection> = new Leases(
    compileConnect(upstream, new Addresses(), () => leases),
    connections,
  )
  onTestFinished(() => leases.destroy())
  return { service, leases }
}

/** One attempt of a GET; resolves at its end. `onData` also gets the attempt. */
export function goRound(
  { service, leases }: { readonly service: RecordingUpstream; readonly leases: Leases<Connection> },
  onData: (chunk: Buffer, attempt: () => UpstreamAttempt) => ReturnType<AttemptReceiver['onData']>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const exchange = { unsentOctets: 0, revoke: () => {} }
    const lease = leases.admit(exchange, leases.pool, 'complete', Number.POSITIVE_INFINITY)
    if (lease === undefined) throw new Error('not admitted')
    const request = { method: 'GET', path: '/', fields: ['Host', service.authority], body: undefined }
    const attempt: UpstreamAttempt = new UpstreamAttempt(leases, lease, request, {
      onStart: () => {},
      onRepeat: () => {},
      onSent: () => {},
      onHead: () => {},
      onData: (chunk) => onData(chunk, () => attempt),
      onEnd: () => {
        leases.end(lease)
        resolve()
      },
      onFailure: (kind) => reject(new Error(kind)),
    })
    leases.enqueue(lease, attempt)
  })
}
