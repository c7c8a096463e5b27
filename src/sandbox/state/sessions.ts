import type { OptionValues } from '../options/option-values.ts'
import { freshFormattedId, freshKey, freshPin } from './fresh.ts'
import type { Company } from './service.ts'
import { limitedOptions, type Service } from './service.ts'
import { isActive, isLed, type Participant, type Session } from './session.ts'

export interface NewSession {
  readonly url: string
  readonly agentId: number | undefined
  readonly tags: readonly string[]
  /** What differs from the company's defaults. */
  readonly options: OptionValues
  readonly startMs: number
  readonly isQueued: boolean
}

/** A session with the company that it belongs to. */
export interface OwnedSession {
  readonly company: Company
  readonly session: Session
}

/** Opens a session; its ids are unique in the whole service, its PIN among active sessions (spec 2.3). */
export function openSession(service: Service, company: Company, opened: NewSession): Session {
  const { isQueued, options, ...given } = opened
  makeRoom(service)
  const takenIds = new Set<string>()
  const takenPins = new Set<string>()
  for (const { session } of allSessions(service)) {
    takenIds.add(session.formattedId)
    if (isActive(session) && session.pin !== undefined) takenPins.add(session.pin)
  }
  return keepSession(company, {
    ...given,
    id: freshKey(service.random),
    formattedId: freshFormattedId(service.random, (id) => takenIds.has(id)),
    pin: freshPin(service.random, takenPins),
    options: {
      ...limitedOptions(service, company),
      ...options,
      ...service.plans.get(company.company_plan_name),
    },
    participants: [],
    ...(isQueued ? { queue: {} } : {}),
  })
}

/** Replaces the session with its changed value. */
export function keepSession({ sessions }: Company, session: Session): Session {
  sessions.set(session.id, session)
  return session
}

/** The session by its id, or by its formatted id with or without the hyphens. */
export function findSession({ sessions }: Company, id: string): Session | undefined {
  const digits = /^\d{3}-?\d{3}-?\d{3}$/.test(id) ? id.replaceAll('-', '') : undefined
  return (
    sessions.get(id) ??
    [...sessions.values()].find(({ formattedId }) => formattedId.replaceAll('-', '') === digits)
  )
}

/** The session with this id, whichever company it belongs to. */
export function findOwned({ companies }: Service, id: string): OwnedSession | undefined {
  for (const company of companies.values()) {
    const session = company.sessions.get(id)
    if (session !== undefined) return { company, session }
  }
  return undefined
}

/** The one active session that has the PIN. */
export function findByPin(service: Service, pin: string): OwnedSession | undefined {
  for (const owned of allSessions(service)) {
    if (isActive(owned.session) && owned.session.pin === pin) return owned
  }
  return undefined
}

/** Adds a participant with a window of their own. A follower or an agent takes the session out of the queue. */
export function joinSession(
  service: Service,
  { company, session }: OwnedSession,
  role: Participant['role'],
  agentId: number | undefined,
  nowMs: number,
): { readonly session: Session; readonly participant: Participant } {
  const participant = { id: freshKey(service.random), role, agentId }
  const isServed = role === 'follower' || agentId !== undefined
  const leavesQueue = session.queue !== undefined && session.queue.leftAtMs === undefined && isServed
  const joined = {
    ...session,
    agentId: session.agentId ?? agentId,
    participants: [...session.participants, participant],
    ...(leavesQueue ? { queue: { leftAtMs: nowMs } } : {}),
  }
  return { participant, session: keepSession(company, joined) }
}

/** Ends the session, unless it has ended before. */
export function endSession({ company, session }: OwnedSession, nowMs: number): Session {
  if (!isActive(session)) return session
  return keepSession(company, { ...session, endMs: Math.max(nowMs, session.startMs) })
}

/** Ends sessions whose leader link was not opened in time (spec 3), as of the moment when it expired. */
export function closeUnopened(service: Service, nowMs: number): void {
  for (const { company, session } of allSessions(service)) {
    const deadlineMs = session.startMs + LEADER_LINK_MS
    if (!isLed(session) && nowMs >= deadlineMs) endSession({ company, session }, deadlineMs)
  }
}

/** Keeps only the latest visits; their sessions stay in the history. */
export function forgetVisits(company: Company): void {
  const visited = [...company.sessions.values()].filter(({ visit }) => visit !== undefined)
  for (const { visit: _, ...session } of visited.slice(0, -MOST_VISITS)) keepSession(company, session)
}

/** If there are too many sessions, forgets the oldest that has ended, else the oldest. */
function makeRoom(service: Service): void {
  const all = [...allSessions(service)]
  if (all.length < MOST_SESSIONS) return
  const ended = all.filter(({ session }) => !isActive(session))
  const [oldest] = (ended.length > 0 ? ended : all).sort((a, b) => a.session.startMs - b.session.startMs)
  oldest?.company.sessions.delete(oldest.session.id)
}

function* allSessions({ companies }: Service): Generator<OwnedSession, void, undefined> {
  for (const company of companies.values()) {
    for (const session of company.sessions.values()) yield { company, session }
  }
}

/** Of the whole service. */
export const MOST_SESSIONS = 2000

const LEADER_LINK_MS = 2 * 60 * 1000
const MOST_VISITS = 100
