import type { Point } from '../../../src/points/point.ts'
import type { NameOverride } from '../../../src/probe/name-override.ts'
import { openConnection } from '../../../src/probe/open-connection.ts'
import { parseEndpoint } from '../../../src/probe/probe.ts'
import { resolve } from '../../../src/probe/resolve.ts'
import type { Trust } from '../../../src/probe/trust.ts'
import type { Case } from './cases/case.ts'
import { cases } from './cases/index.ts'
import type { CaseRun, RunFacts } from './cases/run.ts'
import type { OpenClient, PointAddress } from './client.ts'
import type { OriginServer } from './origin-server.ts'
import { REPLY_LIMIT_MS, type RunnerSettings, runCase } from './runner.ts'

export interface SuiteSettings {
  readonly point: Point
  /** The prefix that the point's path ends with, both slashes included. */
  readonly prefix: string
  /** Origin of the page with the widget. */
  readonly pageOrigin: string
  readonly originServer: OriginServer
  /** What Host may be, besides loopback with the origin server's port: `host[:port]`, lower case. */
  readonly authorities: readonly string[]
  /** What the front end must set. */
  readonly widgetKey: string
  readonly userAgent: string
  readonly overrides: readonly NameOverride[]
  readonly trust: Trust | undefined
  /** A client other than HTTP/1.1, and the cases that it can send. */
  readonly client?: { readonly open: OpenClient; runs(row: Case): boolean }
  readonly onCase?: (row: Case) => void
}

/** The outcome of every case in order, or why none could be run. */
export type SuiteResult = { readonly outcomes: readonly Outcome[] } | { readonly reason: string }

/** Tests a continuation point whose service is the origin server, from outside, with all cases. */
export async function runSuite(settings: SuiteSettings): Promise<SuiteResult> {
  const { point, pageOrigin, originServer, client, widgetKey, userAgent } = settings
  const place = await findPlace(settings)
  if ('reason' in place) return place
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${originServer.port}`)
  const runnerSettings: RunnerSettings = {
    place,
    originServer,
    ...(client && { open: client.open }),
    userAgent,
    facts: {
      point,
      pageOrigin,
      root: settings.prefix,
      serviceAuthorities: [...loopback, ...settings.authorities],
      widgetKey,
    },
  }
  const facts = await reach(runnerSettings)
  if ('reason' in facts) return facts
  const outcomes: Outcome[] = []
  for (const row of cases.filter((each) => client?.runs(each) ?? true)) {
    settings.onCase?.(row)
    outcomes.push(judgeCase(row, await runCase(row, { ...runnerSettings, facts })))
  }
  return { outcomes }
}

/** The first address of the point that accepts a connection. */
async function findPlace({
  point,
  overrides,
  trust,
}: SuiteSettings): Promise<PointAddress | { readonly reason: string }> {
  const endpoint = parseEndpoint(point.url)
  const resolution = await resolve(endpoint, overrides, AbortSignal.timeout(REPLY_LIMIT_MS))
  if (resolution.kind !== 'resolved') return { reason: `its host does not resolve (${resolution.code})` }
  let reason = 'its host has no address'
  for (const address of resolution.addresses) {
    const opened = await openConnection(endpoint, address, trust, AbortSignal.timeout(REPLY_LIMIT_MS))
    if (opened.kind === 'unconnected') {
      reason = `it accepts no connection (${opened.code})`
      continue
    }
    opened.socket.destroy()
    const fault = opened.certificate?.fault
    if (fault !== undefined)
      return { reason: `its certificate is not valid (${fault}): pass its authority with --ca-file` }
    return { endpoint, address, trust }
  }
  return { reason }
}

export interface Outcome extends Pick<Case, 'id' | 'level' | 'title'> {
  readonly outcome: 'pass' | 'fail'
  /** Expectations that were not met, with what was observed instead; empty if it passed. */
  readonly faults: readonly { readonly expected: string; readonly seen: string }[]
}

export function judgeCase({ id, level, title, expect }: Case, run: CaseRun): Outcome {
  const faults = expect.flatMap(({ expected, judge }) => {
    const seen = judge(run)
    return seen === undefined ? [] : [{ expected, seen }]
  })
  return { id, level, title, outcome: faults.length === 0 ? 'pass' : 'fail', faults }
}

/**
 * Checks whether requests to the point reach the origin server, and on which path.
 *
 * @returns the facts with the observed root, or why the point can't be tested
 */
async function reach(settings: RunnerSettings): Promise<RunFacts | { readonly reason: string }> {
  const { facts, arrivals, reply } = await runCase(REACH, settings)
  const { path } = facts.point
  const [arrival] = arrivals
  if (arrival !== undefined) return arrival.target.startsWith(path) ? { ...facts, root: path } : facts
  if (reply.kind === 'response')
    return { reason: `it returns ${reply.status}, and the stand-in receives nothing` }
  return { reason: REASONS[reply.code] ?? `the connection broke (${reply.code})` }
}

const REACH: Case = {
  id: 'reach',
  level: 'must',
  title: 'the root of the point leads to the service',
  send: { path: '' },
  expect: [],
}

const REASONS: Readonly<Record<string, string>> = {
  unconnected: 'it accepts no connection, or has no valid certificate',
  timeout: 'it does not respond in time',
}
