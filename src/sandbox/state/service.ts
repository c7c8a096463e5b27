import { randomInt } from 'node:crypto'
import type * as v from 'valibot'
import type { Agent, Company, Settings, Webhook } from './company.ts'
import { DEFAULTS, type OptionNames, type OptionValues } from './option-values.ts'
import { filledText, objectOf, text } from './schema.ts'
import { endSession, isActive, isLed, type Participant, type Session } from './session.ts'

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
  /** The last id that was given out, of each kind. */
  readonly lastIds: { company: number; agent: number; webhook: number }
}

export const server = objectOf({ id: filledText, region: filledText, description: text, ips: text })

export type Server = v.InferOutput<typeof server>

interface NewSession extends Pick<Session, 'company' | 'url' | 'agentId' | 'tags' | 'startMs'> {
  /** What differs from the company's defaults. */
  readonly options: OptionValues
  readonly isQueued: boolean
}

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

/** Opens a session; its ids are unique in the whole service, its PIN among active sessions (spec 2.3). */
export function openSession(service: Service, opened: NewSession): Session {
  const { isQueued, options, ...given } = opened
  makeRoom(service)
  const all = [...service.sessions.values()]
  const session: Session = {
    ...given,
    id: freshKey(),
    formattedId: freshFormattedId((id) => all.some(({ formattedId }) => formattedId === id)),
    pin: freshPin((pin) => all.some((each) => isActive(each) && each.pin === pin)),
    options: limitedOptions(service, given.company, options),
    participants: [],
    ...(isQueued ? { queue: {} } : {}),
  }
  service.sessions.set(session.id, session)
  return session
}

/** In the order in which they were opened. */
export function sessionsOf({ sessions }: Service, company: Company): readonly Session[] {
  return [...sessions.values()].filter((session) => session.company === company)
}

/** The company's session by its id, or by its formatted id with or without the hyphens. */
export function findSession(service: Service, company: Company, id: string): Session | undefined {
  const digits = /^\d{3}-?\d{3}-?\d{3}$/.test(id) ? id.replaceAll('-', '') : undefined
  return sessionsOf(service, company).find(
    (session) => session.id === id || session.formattedId.replaceAll('-', '') === digits,
  )
}

/** Adds a participant with a window of their own. A follower or an agent takes the session out of the queue. */
export function joinSession(
  session: Session,
  role: Participant['role'],
  agentId: number | undefined,
  nowMs: number,
): Participant {
  const participant = { path: `/session/${session.id}/windows/${freshKey()}`, role, agentId }
  session.participants.push(participant)
  session.agentId ??= agentId
  const { queue } = session
  if (queue !== undefined && (role === 'follower' || agentId !== undefined)) queue.leftAtMs ??= nowMs
  return participant
}

/** Ends sessions whose leader link was not opened in time (spec 3), as of the moment when it expired. */
export function closeUnopened({ sessions }: Service, nowMs: number): void {
  for (const session of sessions.values()) {
    const deadlineMs = session.startMs + LEADER_LINK_MS
    if (!isLed(session) && nowMs >= deadlineMs) endSession(session, deadlineMs)
  }
}

/** If there are too many sessions, forgets the oldest that has ended, else the oldest. */
function makeRoom({ sessions }: Service): void {
  if (sessions.size < MOST_SESSIONS) return
  const all = [...sessions.values()].sort((a, b) => a.startMs - b.startMs)
  const oldest = all.find((session) => !isActive(session)) ?? all[0]
  if (oldest !== undefined) sessions.delete(oldest.id)
}

/** A key, token or id that can't be guessed: 32 letters and digits. */
export function freshKey(): string {
  return Array.from({ length: 32 }, () => randomInt(36).toString(36)).join('')
}

/** A session's readable id (spec 2.3) that is not taken. */
function freshFormattedId(isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = Array.from({ length: 3 }, () => String(randomInt(1000)).padStart(3, '0')).join('-')
    if (!isTaken(id)) return id
  }
}

/** A PIN of four digits that no active session has (spec 2.3). There are always fewer sessions than PINs. */
export function freshPin(isTaken: (pin: string) => boolean): string {
  for (let number = randomInt(PINS); ; number += 1) {
    const pin = String(number % PINS).padStart(4, '0')
    if (!isTaken(pin)) return pin
  }
}

/** Spec 2.5. */
export const DEFAULT_PLAN = 'client_enterprise'

/** Of the whole service. */
const MOST_SESSIONS = 1000

const LEADER_LINK_MS = 2 * 60 * 1000

const PINS = 10_000
