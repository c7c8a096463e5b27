import type * as v from 'valibot'
import { type OptionNames, type OptionValues, withDefaults } from '../options/option-values.ts'
import { boolean, filledText, objectOf, oneOf, text, type ValuesOf, webUrl } from '../schema/schema.ts'
import { freshKey, type Random } from './fresh.ts'
import type { Session } from './session.ts'

/** Everything that the REST API reads and changes. */
export interface Service {
  /** By id; the first is the account itself. */
  readonly companies: Map<number, Company>
  /** By plan name, the options that the plan fixes. A plan that is not listed fixes none. */
  readonly plans: ReadonlyMap<string, OptionValues>
  readonly servers: readonly Server[]
  readonly optionNames: OptionNames
  readonly pageSize: number
  /** Of the window that screenshots are taken of. */
  readonly windowWidthPixels: number
  readonly random: Random
  /** The last id that was given out, of each kind. */
  readonly lastIds: { company: number; agent: number; webhook: number }
}

export const server = objectOf({ id: filledText, region: filledText, description: text, ips: text })

export type Server = v.InferOutput<typeof server>

/** A company to add; what is missing has its default, and keys are generated. */
type NewCompany = Pick<Company, 'company_name'> & {
  readonly [K in Exclude<keyof Company, 'id' | 'agents' | 'sessions' | 'webhooks'>]?: Company[K] | undefined
}

export function addCompany(service: Service, added: NewCompany): Company {
  service.lastIds.company += 1
  const company: Company = {
    company_plan_name: DEFAULT_PLAN,
    domains: '*',
    agent_count: 10,
    client_key: freshKey(service.random),
    rest_key: freshKey(service.random),
    widget_key: freshKey(service.random),
    resellerKey: undefined,
    resellerId: undefined,
    options: {},
    ...dropUndefined(added),
    id: service.lastIds.company,
    agents: new Map(),
    sessions: new Map(),
    webhooks: new Map(),
  }
  service.companies.set(company.id, company)
  return company
}

/** An agent to add, with a new id unless one is given; what else is missing has its default. */
type NewAgent = Pick<Agent, 'agent_name' | 'agent_email' | 'lastLoginMs'> & {
  readonly [K in Exclude<keyof Agent, 'token'>]?: Agent[K] | undefined
}

export function addAgent(service: Service, company: Company, added: NewAgent): Agent {
  const agent_id = added.agent_id ?? service.lastIds.agent + 1
  service.lastIds.agent = Math.max(service.lastIds.agent, agent_id)
  const agent: Agent = {
    role: 'agent',
    available: true,
    online: true,
    ...dropUndefined(added),
    agent_id,
  }
  company.agents.set(agent_id, agent)
  return agent
}

function dropUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> }
}

export function addWebhook(service: Service, company: Company, added: Omit<Webhook, 'id'>): Webhook {
  service.lastIds.webhook += 1
  const webhook = { id: service.lastIds.webhook, ...added }
  company.webhooks.set(webhook.id, webhook)
  return webhook
}

/** The account itself, as opposed to the clients of a reseller. */
export function mainCompany(service: Service): Company {
  const [company] = service.companies.values()
  if (company === undefined) throw new Error('The service has lost its account')
  return company
}

export function findCompany(service: Service, isAsked: (company: Company) => boolean): Company | undefined {
  return [...service.companies.values()].find(isAsked)
}

export function clientsOf({ companies }: Service, reseller: Company): readonly Company[] {
  return [...companies.values()].filter(({ resellerId }) => resellerId === reseller.id)
}

export function findAgentByEmail(company: Company, email: string): Agent | undefined {
  return [...company.agents.values()].find((agent) => agent.agent_email.toLowerCase() === email.toLowerCase())
}

/** The agent with this active token (spec 3). */
export function findAgentByToken(company: Company, text: string, nowMs: number): Agent | undefined {
  return [...company.agents.values()].find(
    ({ token }) => token !== undefined && token.text === text && token.expiresAtMs > nowMs,
  )
}

/** A company's default options with the limits of its plan applied (spec 4.3). */
export function limitedOptions(service: Service, { options, company_plan_name }: Company): OptionValues {
  return { ...withDefaults(options), ...service.plans.get(company_plan_name) }
}

/** Of a reseller. */
export const MOST_CLIENTS = 1000

/** Of a company. */
export const MOST_WEBHOOKS = 200

/** Spec 2.5. */
export const DEFAULT_PLAN = 'client_enterprise'

/** A customer of the service: the account itself, or a client of a reseller. Under the service's own names (spec 2.5). */
export interface Company {
  readonly id: number
  readonly client_key: string
  company_name: string
  company_plan_name: string
  rest_key: string
  widget_key: string
  /** In place of `all` in old paths of clients; absent: no reseller. */
  readonly resellerKey: string | undefined
  /** The reseller's company, when this is a client. */
  readonly resellerId: number | undefined
  /** The most that it may have. */
  readonly agent_count: number
  /** Comma-separated patterns. */
  domains: string
  /** What differs from the defaults. */
  options: OptionValues
  readonly agents: Map<number, Agent>
  /** By `id`, the oldest first. */
  readonly sessions: Map<string, Session>
  readonly webhooks: Map<number, Webhook>
}

/** Under the service's own names (spec 2.1). */
export interface Agent {
  readonly agent_id: number
  readonly agent_name: string
  readonly agent_email: string
  readonly role: v.InferOutput<typeof role>
  readonly available: boolean
  readonly online: boolean
  readonly lastLoginMs: number
  /** The one active access token, once one was generated. */
  readonly token?: { readonly text: string; readonly expiresAtMs: number }
}

/** Under the service's own names (spec 2.7). */
export const webhookMembers = {
  url: webUrl,
  category: filledText,
  enabled: boolean,
  ssl_verification: boolean,
} as const

export type Webhook = ValuesOf<typeof webhookMembers> & { readonly id: number }

/** Of an agent (spec 2.1). */
export const role = oneOf('admin', 'manager', 'agent')
