import { isPoint, type Point, parsePoint } from '../../../src/points/point.ts'
import { resolvedConfigOf } from '../../support/config-of.ts'
import { startProxy } from '../../support/start-proxy.ts'
import { type OriginServer, startOriginServer } from '../suite/origin-server.ts'
import type { Outcome } from '../suite/suite.ts'
import { runSuite, type SuiteSettings } from '../suite/suite.ts'

export const PREFIX = '/service_cookie_transfer/'
export const KEY = 'the-widget-key'

/** Whatever serves a point, and how it is stopped. */
export interface StartedPoint {
  readonly url: string
  close(): Promise<void>
}

/** Runs every case against a point that `start` sets up in front of the origin server, with each of the clients. */
export async function judgePoint(
  start: (serviceUrl: string) => Promise<StartedPoint>,
  clients: readonly SuiteSettings['client'][] = [undefined],
  settings: Partial<SuiteSettings> = {},
): Promise<readonly (readonly Outcome[])[]> {
  const originServer = await startOriginServer(0)
  const started = await start(`http://127.0.0.1:${originServer.port}`)
  const all: (readonly Outcome[])[] = []
  try {
    for (const client of clients) {
      const given = { ...settings, ...(client && { client }) }
      const result = await runSuite(toSuiteSettings(toPoint(started.url), originServer, given))
      if ('reason' in result) throw new Error(result.reason)
      all.push(result.outcomes)
    }
  } finally {
    await started.close()
    await originServer.close()
  }
  return all
}

/** The ids of cases that fail over HTTP/1.1. */
export async function findFailures(start: (serviceUrl: string) => Promise<StartedPoint>) {
  const [outcomes = []] = await judgePoint(start)
  return outcomes.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)
}

/** Our own proxy on a free port, which its continuation URL then names. */
export async function startOwnProxy(
  serviceUrl: string,
  overrides: Record<string, unknown> = {},
  cookiePath = '',
): Promise<StartedPoint> {
  const proxy = await startProxy(serviceUrl, { widgetKey: KEY })
  const url = `http://www.shop.localhost:${proxy.port}${cookiePath}${PREFIX}`
  const service = { url: serviceUrl, ...(overrides.service as object | undefined) }
  const config = { widgetKey: KEY, points: [url], ...overrides, service }
  proxy.proxy.replace(await resolvedConfigOf(config))
  return { url, close: () => proxy.close() }
}

function toPoint(url: string): Point {
  const point = parsePoint(url, PREFIX)
  if (!isPoint(point)) throw new Error(point.reason)
  return point
}

function toSuiteSettings(
  point: Point,
  originServer: OriginServer,
  settings: Partial<SuiteSettings>,
): SuiteSettings {
  return {
    point,
    prefix: PREFIX,
    pageOrigin: point.origin,
    originServer,
    authorities: [],
    widgetKey: KEY,
    userAgent: 'continuation-point/0',
    overrides: [],
    trust: undefined,
    ...settings,
  }
}
