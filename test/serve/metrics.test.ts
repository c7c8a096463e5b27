import { METHODS, STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { FAILURES } from '../../src/forward/failure.ts'
import type { ExchangeRecord } from '../../src/proxy/exchange-record.ts'
import { startMetrics } from '../../src/serve/metrics.ts'
import { renderMetrics } from '../../src/serve/metrics-text.ts'
import { aPoint, aRecord, FACTS, NO_LEVELS } from './a-record.ts'

const SERVER = 'http_server_request_duration_seconds'
const CLIENT = 'http_client_request_duration_seconds'
const POINTS = 'continuation_point_requests_total'
const POINT = 'https://www.example.com/service_cookie_transfer/'

/** The samples of `/metrics` with this name, without it. */
function samplesOf(
  name: string,
  records: Iterable<ExchangeRecord>,
  points: readonly string[] = [],
): readonly string[] {
  const metrics = startMetrics()
  for (const record of records) metrics.observe(record)
  const snapshot = metrics.snapshot(NO_LEVELS, 0)
  const lines = [...renderMetrics(snapshot, { ...FACTS, points })].join('\n').split('\n')
  return lines.filter((line) => line.startsWith(`${name}{`)).map((line) => line.slice(name.length))
}

describe('the method of a request is', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s, which the service documents', (method) => {
    expect(samplesOf(`${SERVER}_count`, [aRecord({ method })])).toEqual([
      `{http_request_method="${method}",http_response_status_code="200"} 1`,
    ])
  })

  it('_OTHER, whichever other it is', () => {
    const others = METHODS.filter((method) => !['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    expect(others.length).toBeGreaterThan(25)
    const records = [...others, 'MADE-UP'].map((method) => aRecord({ method }))
    expect(samplesOf(`${SERVER}_count`, records)).toEqual([
      `{http_request_method="_OTHER",http_response_status_code="200"} ${records.length}`,
    ])
  })
})

it.each([
  [200, '200'],
  [308, '308'],
  [404, '404'],
  [299, '2xx'],
  [499, '4xx'],
  [599, '5xx'],
])('status %i is counted as %s', (status, label) => {
  expect(samplesOf(`${SERVER}_count`, [aRecord({ status })])).toEqual([
    `{http_request_method="GET",http_response_status_code="${label}"} 1`,
  ])
})

it('a request without a response has no status', () => {
  const left = aRecord({ status: undefined, outcome: 'client-abort', upstreamMs: undefined })
  expect(samplesOf(`${SERVER}_count`, [left])).toEqual([
    '{http_request_method="GET",error_type="client-abort"} 1',
  ])
  expect(samplesOf(`${CLIENT}_count`, [left])).toEqual([])
})

it.each<[string, Partial<ExchangeRecord>]>([
  ['2xx', {}],
  ['4xx', { status: 403 }],
  ['5xx', { status: 599 }],
  ['3xx', { status: 308, outcome: 'redirect' }],
  ['upstream', { status: 502, outcome: 'upstream-refused' }],
  ['downstream', { status: 408, outcome: 'request-timeout' }],
  ['downstream', { status: undefined, outcome: 'client-abort' }],
  ['proxy', { status: 503, outcome: 'overloaded' }],
])('a request counts for its point as %s', (result, changes) => {
  expect(samplesOf(POINTS, [aRecord(changes)])).toEqual([`{point="${POINT}",result="${result}"} 1`])
})

it('a request that no point owns counts for none', () => {
  expect(samplesOf(POINTS, [aRecord({ point: undefined, outcome: 'unknown-path', status: 404 })])).toEqual([])
})

it('every reason why a request is refused is at 0 from the start', () => {
  const own = Object.entries(FAILURES).filter(([, { source }]) => source !== 'upstream')
  expect(samplesOf('continuation_point_refused_requests_total', [])).toEqual(
    own.map(([reason]) => `{reason="${reason}"} 0`),
  )
})

it('every result of a point is at 0 from the start', () => {
  const refused = aRecord({ status: 502, outcome: 'upstream-refused' })
  expect(samplesOf(POINTS, [refused], [POINT])).toEqual(
    ['2xx"} 0', '3xx"} 0', '4xx"} 0', '5xx"} 0', 'upstream"} 1', 'downstream"} 0', 'proxy"} 0'].map(
      (sample) => `{point="${POINT}",result="${sample}`,
    ),
  )
})

describe('histograms', () => {
  const both = [aRecord(), aRecord({ point: aPoint('https://other.example/service_cookie_transfer/') })]

  it('are not for each point', () => {
    expect(samplesOf(`${CLIENT}_count`, both)).toEqual([
      '{http_request_method="GET",http_response_status_code="200"} 2',
    ])
  })

  it('are at most 250, and one for all others', () => {
    const outcomes = ['ok', 'client-abort', ...Object.keys(FAILURES)] as ExchangeRecord['outcome'][]
    const statuses = Object.keys(STATUS_CODES).map(Number)
    const records = outcomes.flatMap((outcome) => statuses.map((status) => aRecord({ status, outcome })))
    const points = Array.from({ length: 5 }, (_, i) =>
      aPoint(`https://${i}.example/service_cookie_transfer/`),
    )
    const all = points.flatMap((point) => records.map((record) => ({ ...record, point })))
    // What there is a histogram for is still counted there.
    const counts = samplesOf(`${SERVER}_count`, [...all, ...all])
    expect(counts).toHaveLength(251)
    expect(counts.at(-1)).toMatch(/^\{otel_metric_overflow="true"\} \d+$/)
    const sum = counts.map((line) => Number(line.split(' ')[1])).reduce((a, b) => a + b, 0)
    expect(sum).toBe(2 * all.length)
    expect(samplesOf(POINTS, all)).toHaveLength(5 * 8)
  })
})
