import { type OptionValues, parseOptions } from '../options/option-values.ts'
import type { Company } from '../state/company.ts'
import { freshKey, type Random } from '../state/fresh.ts'
import { addAgent, addCompany, addWebhook, type Server, type Service } from '../state/service.ts'
import { openSession } from '../state/sessions.ts'
import type { Seed, SeededClient, SeededSession } from './seed.ts'

/**
 * Opens the service that a seed describes.
 *
 * @param seed a valid one, from `parseSeed`
 */
export function openService(seed: Seed, random: Random, nowMs: number): Service {
  const plans = Object.entries(seed.plans ?? DEFAULT_PLANS)
  const service: Service = {
    companies: new Map(),
    sessions: new Map(),
    plans: new Map(plans.map(([name, limits]) => [name, parseSeedOptions(limits)])),
    servers: seed.servers ?? DEFAULT_SERVERS,
    optionNames: seed.optionNames ?? 'both',
    pageSize: seed.pageSize ?? 20,
    windowWidthPixels: seed.windowWidth ?? 1280,
    random,
    lastIds: { company: 0, agent: highestAgentId(seed), webhook: 0 },
  }
  const account = addCompany(service, {
    company_name: seed.companyName ?? 'Demo company',
    company_plan_name: seed.plan,
    domains: seed.domains,
    agent_count: seed.agentCount,
    rest_key: seed.apiKey ?? 'demo-api-key',
    widget_key: seed.widgetKey ?? 'demo-widget-key',
    resellerKey: seed.isReseller === false ? undefined : (seed.resellerKey ?? 'demo-reseller-key'),
    options: parseSeedOptions(seed.settings),
  })
  addResources(service, account, seed, nowMs)
  for (const { settings, agents, sessions, webhooks, ...client } of seed.clients ?? []) {
    const options = parseSeedOptions(settings)
    const company = addCompany(service, { ...client, resellerId: account.id, options })
    addResources(service, company, { agents, sessions, webhooks }, nowMs)
  }
  return service
}

function addResources(
  service: Service,
  company: Company,
  { agents = [], sessions = [], webhooks = [] }: Pick<SeededClient, 'agents' | 'sessions' | 'webhooks'>,
  nowMs: number,
): void {
  for (const { last_login, ...agent } of agents)
    addAgent(service, company, { ...agent, lastLoginMs: last_login ?? nowMs })
  for (const session of sessions) addSession(service, company, session)
  for (const webhook of webhooks) addWebhook(service, company, webhook)
}

/** A seeded session was opened by a leader. Without a duration it is still running. */
function addSession(service: Service, company: Company, seeded: SeededSession): void {
  const session = openSession(service, {
    company,
    url: seeded.start_url,
    agentId: seeded.agent_id,
    tags: seeded.tags ?? [],
    options: parseSeedOptions(seeded.options),
    startMs: seeded.start_time,
    isQueued: false,
  })
  session.participants.push({ id: freshKey(service.random), role: 'leader', agentId: undefined })
  if (seeded.duration !== undefined) session.endMs = session.startMs + seeded.duration * 1000
}

function parseSeedOptions(options: Readonly<Record<string, unknown>> = {}): OptionValues {
  const parsed = parseOptions(options)
  if ('faults' in parsed) throw new Error('The seed was not checked before it was opened')
  return parsed.value
}

function highestAgentId({ agents = [], clients = [] }: Seed): number {
  const all = [...agents, ...clients.flatMap((client) => client.agents ?? [])]
  return Math.max(0, ...all.map(({ agent_id }) => agent_id ?? 0))
}

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
