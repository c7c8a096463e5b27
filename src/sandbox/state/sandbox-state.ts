import { type Fields, valuesOf } from '../../http/fields.ts'
import type { Account, Company } from './company.ts'
import { openForcedFailures, startClock } from './controlled.ts'
import { openDeliveries } from './deliveries.ts'
import type { Seed, SeededSession } from './parse-seed.ts'
import { openRequestLog } from './request-log.ts'
import {
  addAgent,
  addCompany,
  addWebhook,
  findCompany,
  joinSession,
  limitedOptions,
  mainCompany,
  openSession,
  type Server,
  type Service,
} from './service.ts'

/** Everything that the stand-in remembers between requests. */
export type SandboxState = ReturnType<typeof openState>

export interface StateOptions {
  /** What the stand-in starts with, from `parseSeed`; default: the demo account and nothing else. */
  readonly seed?: Seed
  /** Path of the continuation end, a slash at each end; default `DEFAULT_PREFIX`. */
  readonly prefix?: string
  /** Whether the REST API takes only 100 calls a minute from one address; default `on`. */
  readonly rateLimit?: 'on' | 'off'
  /** The time, in milliseconds since the epoch; default the real one. `POST /_sandbox/clock` changes it. */
  readonly nowMs?: () => number
  /** Default: no page is at hand. */
  readonly findPage?: FindPage
}

/** Finds the page to show of a session that began on the given one: the stand-in has no browser. */
export type FindPage = (startUrl: string) => CustomerPage | undefined

/** A page of the customer's site, as a session would open it. */
export interface CustomerPage {
  readonly url: string
  /** @param cookie value of the Cookie line */
  open(cookie: string): Promise<string>
}

/** @param closing aborts when the stand-in closes */
export function openState(options: StateOptions, closing: AbortSignal) {
  const { seed = {}, prefix = DEFAULT_PREFIX, rateLimit = 'on' } = options
  const { nowMs = Date.now, findPage = () => undefined } = options
  const clock = startClock(nowMs)
  return {
    options,
    closing,
    findPage,
    prefix,
    /** A reset returns to this. */
    seed,
    service: openService(seed, clock.nowMs()),
    clock,
    failures: openForcedFailures(),
    requests: openRequestLog(),
    rateLimit: openRateLimit(rateLimit === 'on' ? CALLS_PER_MINUTE : Number.POSITIVE_INFINITY),
    deliveries: openDeliveries(closing),
  }
}

/** Everything as it was at the start, the clock included, but with the account as it was set last. */
export function resetState(state: SandboxState): void {
  Object.assign(state, openState({ ...state.options, seed: state.seed }, state.closing))
}

/** Replaces the account's keys and settings, also after a reset. */
export function setAccount(state: SandboxState, { apiKey, widgetKey, settings }: Account): void {
  const options = { ...settings }
  state.seed = { ...state.seed, apiKey, widgetKey, settings: options }
  Object.assign(mainCompany(state.service), { rest_key: apiKey, widget_key: widgetKey, options })
}

/** The account of a request to the continuation end: the one with the given widget key, else the stand-in's own. */
export function accountOf({ service }: SandboxState, fields: Fields): Account {
  const [key] = valuesOf(fields, 'x-widget-key')
  const company = findCompany(service, ({ widget_key }) => key === widget_key) ?? mainCompany(service)
  return {
    widgetKey: company.widget_key,
    apiKey: company.rest_key,
    settings: limitedOptions(service, company),
  }
}

/** Opens the service of a seed, which `parseSeed` has checked. */
export function openService(seed: Seed, nowMs: number): Service {
  const plans = Object.entries(seed.plans ?? DEFAULT_PLANS)
  const service: Service = {
    companies: new Map(),
    sessions: new Map(),
    plans: new Map(plans),
    servers: seed.servers ?? DEFAULT_SERVERS,
    optionNames: seed.optionNames ?? 'both',
    pageSize: seed.pageSize ?? 20,
    lastIds: { company: 0, agent: highestAgentId(seed), webhook: 0 },
  }
  const { settings, agents, sessions, webhooks, clients = [] } = seed
  const account = {
    company_name: 'Demo company',
    company_plan_name: seed.plan,
    rest_key: seed.apiKey ?? 'demo-api-key',
    widget_key: seed.widgetKey ?? 'demo-widget-key',
    resellerKey: seed.resellerKey ?? 'demo-reseller-key',
    ...{ settings, agents, sessions, webhooks },
  }
  for (const seeded of [account, ...clients.map((client) => ({ ...client, resellerId: 1 }))]) {
    const { settings, agents = [], sessions = [], webhooks = [], ...members } = seeded
    const company = addCompany(service, { ...members, options: settings ?? {} })
    for (const { last_login: lastLoginMs = nowMs, ...agent } of agents)
      addAgent(service, company, { ...agent, lastLoginMs })
    for (const session of sessions) addSession(service, company, session)
    for (const webhook of webhooks) addWebhook(service, company, webhook)
  }
  return service
}

/** A seeded session was opened by a leader. Without a duration it is still running. */
function addSession(service: Service, company: Company, seeded: SeededSession): void {
  const session = openSession(service, {
    company,
    url: seeded.start_url,
    agentId: seeded.agent_id,
    tags: seeded.tags ?? [],
    options: seeded.options ?? {},
    startMs: seeded.start_time,
    isQueued: false,
  })
  joinSession(session, 'leader', undefined, session.startMs)
  if (seeded.duration !== undefined) session.endMs = session.startMs + seeded.duration * 1000
}

function highestAgentId({ agents = [], clients = [] }: Seed): number {
  const all = [...agents, ...clients.flatMap((client) => client.agents ?? [])]
  return Math.max(0, ...all.map(({ agent_id }) => agent_id ?? 0))
}

/** Counts calls per address and minute. The minute of an address starts with its first call. */
function openRateLimit(callsPerMinute: number) {
  const windows = new Map<string, { readonly startMs: number; readonly calls: number }>()
  return {
    /** Counts a call. Returns the seconds to wait if it exceeds the limit. */
    count(address: string, nowMs: number): number | undefined {
      for (const [each, { startMs }] of windows) {
        if (nowMs >= startMs + MINUTE_MS || nowMs < startMs) windows.delete(each)
      }
      const { startMs, calls } = windows.get(address) ?? { startMs: nowMs, calls: 0 }
      if (calls >= callsPerMinute) return Math.ceil((startMs + MINUTE_MS - nowMs) / 1000)
      windows.set(address, { startMs, calls: calls + 1 })
      return undefined
    },
  }
}

/** Where the REST API is, without a last slash. */
export const API_ROOT = '/v2'

/** The service's own words for the vendor's path (spec 4.9). */
export const DEFAULT_PREFIX = '/service_cookie_transfer/'

const CALLS_PER_MINUTE = 100
const MINUTE_MS = 60_000

const DEFAULT_PLANS: NonNullable<Seed['plans']> = {
  client_enterprise: {},
  client_basic: { videochat: false, filesharing: false, white_label: false },
}

// Addresses reserved for documentation, RFC 5737 and RFC 3849.
const DEFAULT_SERVERS: readonly Server[] = [
  {
    id: 'stand-in-eu',
    region: 'eu',
    description: 'Stand-in server, Europe',
    ips: '192.0.2.10, 2001:db8::10',
  },
  { id: 'stand-in-us', region: 'us', description: 'Stand-in server, United States', ips: '198.51.100.10' },
]
