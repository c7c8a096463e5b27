/*
 * "`/metrics` (Prometheus text, OpenTelemetry HTTP names; few label values: the methods that the service documents and
 * `_OTHER`, every known reason at 0 from the start; no histogram for each point; 1,000 points stay under a few MB)."
 */

import { Agent, request as ask, createServer, METHODS, STATUS_CODES } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import { startServe } from './serve.ts'

const POINTS = Array.from({ length: 1_000 }, (_, i) => `http://shop${i}.example.com/service_cookie_transfer/`)

it('all methods, 400 statuses and 1,000 points make few series', async () => {
  const service = await startHostileService()
  const serve = await startServe(service, { points: POINTS })
  const fresh = await serve.admin('/metrics')
  expect(seriesOf(fresh, 'continuation_point_refused_requests_total').length).toBeGreaterThan(15)
  expect(fresh).toMatch(/^continuation_point_refused_requests_total\{reason="overloaded"\} 0$/m)
  const methods = METHODS.filter((method) => method !== 'CONNECT' && method !== 'TRACE')
  const asked = methods.flatMap((method) => POINTS.slice(0, 40).map((point) => [method, point] as const))
  await sendAll(serve.port, [...asked, ...POINTS.map((point) => ['GET', point] as const)])
  const metrics = await serve.admin('/metrics')
  expect(metrics.length).toBeLessThan(2_000_000)
  expect(labelsOf(metrics, 'http_request_method')).toEqual(
    new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', '_OTHER']),
  )
  const statuses = [...labelsOf(metrics, 'http_response_status_code')]
  expect(statuses.filter((status) => !/^[2-5]xx$/.test(status) && !(status in STATUS_CODES))).toEqual([])
  expect(statuses).toContain('4xx')
  expect(seriesOf(metrics, 'http_server_request_duration_seconds_count').length).toBeLessThanOrEqual(251)
  expect(metrics).not.toMatch(/^http_.*point=/m)
  expect(labelsOf(metrics, 'point').size).toBe(POINTS.length)
  const sum = (name: string) =>
    seriesOf(metrics, name)
      .map((line) => Number(line.split(' ')[1]))
      .reduce((a, b) => a + b, 0)
  expect(sum('http_server_request_duration_seconds_count')).toBe(asked.length + POINTS.length)
  expect(sum('continuation_point_requests_total')).toBe(asked.length + POINTS.length)
})

/** A service whose responses have statuses from 200 to 599 in turn. */
async function startHostileService(): Promise<string> {
  let next = 0
  const service = createServer((incoming, outgoing) => {
    outgoing.writeHead(200 + (next++ % 400)).end()
    incoming.resume()
  })
  return `http://127.0.0.1:${await listenForTest(service)}`
}

/** Sends a request for each method and point, on a few connections. */
async function sendAll(
  port: number,
  all: readonly (readonly [method: string, point: string])[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  onTestFinished(() => agent.destroy())
  await Promise.all(
    all.map(
      ([method, point]) =>
        new Promise<void>((resolve, reject) => {
          const { host, pathname: path } = new URL(point)
          const sent = ask({ port, agent, method, path, headers: { Host: host } }, (response) =>
            response.resume().on('end', resolve),
          )
          sent.on('error', reject).end()
        }),
    ),
  )
}

function seriesOf(metrics: string, name: string): readonly string[] {
  return metrics.split('\n').filter((line) => line.startsWith(`${name}{`))
}

function labelsOf(metrics: string, label: string): ReadonlySet<string> {
  return new Set(
    [...metrics.matchAll(new RegExp(`\\b${label}="([^"]*)"`, 'g'))].map(([, value = '']) => value),
  )
}
