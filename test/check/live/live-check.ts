import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import type { AccountSaid } from '../../../src/account/read-account.ts'
import { gatherLive } from '../../../src/check/ask/gather-live.ts'
import type { LiveSource } from '../../../src/check/ask/observe-point.ts'
import { type CheckResult, check } from '../../../src/check/check.ts'
import type { Finding } from '../../../src/check/finding.ts'
import { gatherOfflineFacts } from '../../../src/check/offline-facts.ts'
import { rules } from '../../../src/check/rules/index.ts'
import { Secret } from '../../../src/config/secret.ts'
import { parseNameOverride } from '../../../src/probe/name-override.ts'
import { type NetworkProbeOptions, networkProbe } from '../../../src/probe/network-probe.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import {
  type Faults,
  type FrontEndOptions,
  startFrontEnd,
  WIDGET_KEY,
} from '../../support/front-ends/front-end.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { type RunningService, type Service, startService } from '../../support/other-service.ts'
import { type RunningProxy, startProxy } from '../../support/start-proxy.ts'
import { aConfig, type Given, prefix } from '../a-config.ts'
import { anAccount } from '../an-account.ts'

export interface LiveGiven extends Given {
  /** `HOST:PORT:IP`, as the flag has it. */
  readonly resolve?: readonly string[]
  readonly ca?: readonly string[] | undefined
  readonly widgetKey?: string | undefined
  readonly source?: Partial<LiveSource>
  readonly account?: AccountSaid
  readonly probe?: Partial<NetworkProbeOptions>
}

export interface LiveChecked extends CheckResult {
  /** Ids of the live rules that failed. */
  readonly failed: readonly string[]
  find(id: string): Finding | undefined
}

/** Checks as the command does, with the real probe and without its pauses. */
export async function liveCheck(given: LiveGiven): Promise<LiveChecked> {
  const facts = gatherOfflineFacts(aConfig(given))
  const probe = networkProbe({
    version: '0.0.0',
    overrides: (given.resolve ?? []).map(toOverride),
    trust: given.ca && { kind: 'only', certificates: given.ca },
    pause: async () => {},
    ...given.probe,
  })
  const key = given.widgetKey === undefined ? undefined : new Secret(given.widgetKey)
  const live = await gatherLive(facts, {
    probe,
    serviceProbe: probe,
    runId: randomUUID().replaceAll('-', ''),
    nowMs: Date.now(),
    keepCookiePath: false,
    widgetKeyOf: () => key,
    cookieName: undefined,
    ...given.source,
  })
  const account = given.account && anAccount(aConfig(given), given.account)
  const result = check({ ...facts, live, account }, rules, { only: [], skip: [], suppress: [] })
  return {
    ...result,
    failed: result.findings.filter(isLiveFailure).map(({ id }) => id),
    find: (id) => result.findings.find((finding) => finding.id === id),
  }
}

/** A stand-in for all tests of a file. */
export async function openSandbox(options: Parameters<typeof startSandbox>[0] = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options)
  afterAll(() => sandbox.close())
  return sandbox
}

/** A front end on this machine, or the stand-in with the account that lists its point. */
interface Behind extends FrontEndOptions {
  /** Further URLs that the account lists. */
  readonly listed?: readonly string[]
}

/** Checks the point of a front end before a service, as a page of its origin uses it. */
export async function checkBehind(
  service: Pick<Sandbox, 'url'> & Partial<Pick<Sandbox, 'setAccount'>>,
  { listed = [], ...options }: Behind = {},
  toGiven: (origin: string, port: number) => LiveGiven = () => ({}),
): Promise<LiveChecked & { readonly seen: readonly string[]; readonly origin: string }> {
  const { origin, port, seen } = await openForTest(startFrontEnd(service.url, options))
  const given = { points: [`${origin}${prefix}`], ...toGiven(origin, port) }
  service.setAccount?.(demoAccount({ cookie_transfer_urls: [...given.points, ...listed] }))
  return { ...(await liveCheck(given)), seen, origin }
}

/** Checks the point of a front end before our own proxy, which has it on two paths, before this service. */
export async function checkBehindServe(
  service: Service,
  faults: Faults = {},
  toGiven: (origin: string) => LiveGiven = () => ({}),
  serve: Record<string, unknown> = {},
): Promise<LiveChecked> {
  const running = await openForTest(startService(service))
  const proxy = await openForTest(startProxy(running.url))
  return checkBehindProxy(running, proxy, faults, toGiven, serve)
}

/** The same with a service and a proxy that run already. */
export async function checkBehindProxy(
  service: RunningService,
  proxy: RunningProxy,
  faults: Faults,
  toGiven: (origin: string) => LiveGiven,
  serve: Record<string, unknown> = {},
): Promise<LiveChecked> {
  const to = `http://127.0.0.1:${proxy.port}`
  const { origin } = await openForTest(startFrontEnd(to, { faults, to: 'serve' }))
  const points = [`${origin}${prefix}`, `${origin}/shop${prefix}`]
  await proxy.reload({ points, widgetKey: WIDGET_KEY, ...serve })
  const given = { points: points.slice(0, 1), service: service.url, widgetKey: WIDGET_KEY }
  return liveCheck({ ...given, ...toGiven(origin) })
}

/** Every live rule with its outcome. */
export function outcomesOf({ findings }: CheckResult): Readonly<Record<string, string>> {
  const live = findings.filter(({ id }) => id.startsWith('live/'))
  return Object.fromEntries(live.map(({ id, outcome }) => [id, outcome]))
}

function isLiveFailure({ id, outcome }: Finding): boolean {
  return id.startsWith('live/') && outcome !== 'pass' && outcome !== 'skipped' && outcome !== 'inconclusive'
}

function toOverride(text: string) {
  const override = parseNameOverride(text)
  if (typeof override === 'string') throw new Error(override)
  return override
}
