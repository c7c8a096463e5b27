import type * as v from 'valibot'
import { DEFAULTS, type OptionNames, type OptionValues } from '../options/option-values.ts'
import { filledText, objectOf, text } from '../schema/schema.ts'
import type { Settings } from './account.ts'
import type { Agent, Company, Webhook } from './company.ts'
import { freshKey } from './fresh.ts'
import type { Session } from './session.ts'

/** Everything that the REST API reads and changes. */
export interface Service {
  /** By id; the first is the account itself. */
  readonly companies: Map<number, Company>
  /** Those of every company by `id`, in the order in which they were opened. */
  readonly sessions: Map<string, Session>
  /** By plan name, the options that the plan fixes. A plan that is not listed fixes none. */
  readonly plans: ReadonlyMap<string, OptionValues>
  readonly servers: readonly Server[]
  readonly optionNames: OptionNames
  readonly pageSize: number
  /** Of the window that screenshots are taken of. */
  readonly windowWidthPixels: number
  /** The last id that was given out, of each kind. */
  readonly lastIds: { company: number; agent: number; webhook: number }
}

export const server = objectOf({ id: filledText, region: filledText, description: text, ips: text })

export type Server = v.InferOutput<typeof server>

/** These members of `T`, and more of the others or none. */
type Some<T, Required extends keyof T, Given extends keyof T> = Pick<T, Required> & {
  readonly [K in Exclude<keyof T, Given | Required>]?: T[K] | undefined
}

/** Adds a company; what is missing has its default, and keys are generated. */
export function addCompany(
  service: Service,
  added: Some<Company, 'company_name', 'id' | 'agents' | 'webhooks'>,
): Company {
  service.lastIds.company += 1
  const company: Company = {
    company_plan_name: DEFAULT_PLAN,
    domains: '*',
    agent_count: 10,
    client_key: freshKey(),
    rest_key: freshKey(),
    widget_key: freshKey(),
    resellerKey: undefined,
    resellerId: undefined,
    options: {},
    ...dropUndefined(added),
    id: service.lastIds.company,
    agents: new Map(),
    webhooks: new Map(),
  }
  service.companies.set(company.id, company)
  return company
}

/** Removes a company with all that it has. */
export function removeCompany({ companies, sessions }: Service, company: Company): void {
  companies.delete(company.id)
  for (const { id, company: owner } of sessions.values()) if (owner === company) sessions.delete(id)
}

/** Adds an agent, with a new id unless one is given; what else is missing has its default. */
export function addAgent(
  service: Service,
  company: Company,
  added: Some<Agent, 'agent_name' | 'agent_email' | 'lastLoginMs', 'token'>,
): Agent {
  const agent_id = added.agent_id ?? service.lastIds.agent + 1
  service.lastIds.agent = Math.max(service.lastIds.agent, agent_id)
  const agent: Agent = { role: 'agent', available: true, online: true, ...dropUndefined(added), agent_id }
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

/** A company's default options, those of a session over them, with the limits of the plan applied (spec 4.3). */
export function limitedOptions(
  service: Service,
  company: Company,
  own: OptionValues = {},
): OptionValues & Settings {
  const limits = service.plans.get(company.company_plan_name)
  // The option table guarantees the types of what continuation reads.
  return { ...DEFAULTS, ...company.options, ...own, ...limits } as OptionValues & Settings
}

/** Spec 2.5. */
export const DEFAULT_PLAN = 'client_enterprise'
