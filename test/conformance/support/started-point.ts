import { isPoint, type Point, parsePoint } from '../../../src/points/point.ts'
import { resolvedConfigOf } from '../../support/config-of.ts'
import { startProxy } from '../../support/start-proxy.ts'
import { type OriginServer, startOriginServer } from '../suite/origin-server.ts'
import type { Outcome } from '../suite/suite.ts'
import { runSuite, type SuiteResult, type SuiteSettings } from '../suite/suite.ts'

export const PREFIX = '/service_cookie_transfer/'
export const KEY = 'the-widget-key'

/** Whatever serves a point, and how it is stopped. */
export interface StartedPoint {
  readonly url: string
  close(): Promise<void>
}

/** Runs every case against a point that `start` sets up in front of the origin server. */
export async function judgePoint(
  start: (serviceUrl: string) => Promise<StartedPoint>,
  settings: Partial<SuiteSettings> = {},
): Promise<SuiteResult> {
  const originServer = await startOriginServer(0)
  const started = await start(`http://127.0.0.1:${originServer.port}`)
  try {
    return await runSuite(toSuiteSettings(toPoint(started.url), originServer, settings))
  } finally {
    await started.close()
    await originServer.close()
  }
}

/** The outcomes of a run that could be played. */
export function outcomesOf(result: SuiteResult): readonly Outcome[] {
  if ('reason' in result) throw new Error(result.reason)
  return result.outcomes
}

/** The ids of failed cases. */
export function failuresOf(result: SuiteResult): readonly string[] {
  return outcomesOf(result)
    .filter(({ outcome }) => outcome === 'fail')
    .map(({ id }) => id)
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
