import type { OptionValues } from '../options/option-values.ts'
import type { Company } from './company.ts'
import { freshFormattedId, freshKey, freshPin } from './fresh.ts'
import { limitedOptions, type Service } from './service.ts'
import { endSession, isActive, isLed, type Participant, type Session } from './session.ts'

export interface NewSession extends Pick<Session, 'company' | 'url' | 'agentId' | 'tags' | 'startMs'> {
  /** What differs from the company's defaults. */
  readonly options: OptionValues
  readonly isQueued: boolean
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

/** Of the whole service. */
const MOST_SESSIONS = 1000

const LEADER_LINK_MS = 2 * 60 * 1000
