import { Secret } from '../../src/config/secret.ts'
import type { ServedPoint } from '../../src/points/match.ts'
import { parsePoint } from '../../src/points/point.ts'
import type { ExchangeRecord } from '../../src/proxy/exchange-record.ts'
import { LEVELS, type Levels } from '../../src/serve/metrics.ts'

/** The record of a request that the service answered, or of one with these changes. */
export function aRecord(changes: Partial<ExchangeRecord> = {}): ExchangeRecord {
  return {
    id: () => 'an-id',
    traceId: () => undefined,
    method: 'GET',
    point: aPoint('https://www.example.com/service_cookie_transfer/'),
    addressed: undefined,
    peerAddress: '127.0.0.1',
    status: 200,
    outcome: 'ok',
    code: undefined,
    durationMs: 1,
    upstreamMs: 1,
    requestOctets: 0,
    responseOctets: 0,
    ...changes,
  }
}

export function aPoint(url: string): ServedPoint {
  const point = parsePoint(url, '/service_cookie_transfer/')
  if ('reason' in point) throw new Error(point.reason)
  return { ...point, widgetKey: new Secret('key') }
}

/** What a process has used that has done nothing. */
export const NO_LEVELS = Object.fromEntries(Object.keys(LEVELS).map((level) => [level, 0])) as Levels

/** What `/metrics` says beside its counters. */
export const FACTS = {
  version: '1.0.0',
  points: [],
  loads: { last: 'loaded', loadedAtMs: 0, refusals: 0 },
  node: '24.18.0',
} as const
