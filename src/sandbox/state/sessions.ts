import type { OptionValues } from '../options/option-values.ts'
import type { Company, Session } from './company.ts'
import { freshFormattedId, freshKey, freshPin } from './fresh.ts'
import { limitedOptions, type Service } from './service.ts'

/** What a new session is told. */
export interface NewSession {
  readonly url: string
  readonly agentId: number | undefined
  readonly tags: readonly string[]
  /** What differs from the company's defaults. */
  readonly options: OptionValues
  readonly startMs: number
  readonly waits: 'in-queue' | 'never'
}

/** Opens a session; its ids are unique in the whole service, its PIN among active sessions (spec 2.3). */
export function openSession(service: Service, company: Company, opened: NewSession): Session {
  const { waits, options, ...told } = opened
  const all = [...service.companies.values()].flatMap(({ sessions }) => [...sessions.values()])
  const takenIds = new Set(all.map(({ formattedId }) => formattedId))
  const takenPins = new Set(all.filter(isActive).flatMap(({ pin }) => (pin === undefined ? [] : [pin])))
  const session: Session = {
    ...told,
    id: freshKey(service.random),
    formattedId: freshFormattedId(service.random, (id) => takenIds.has(id)),
    pin: freshPin(service.random, takenPins),
    options: { ...limitedOptions(service, company), ...options, ...service.plans.get(company.plan) },
    isOpened: false,
    participants: 0,
    ...(waits === 'in-queue' ? { queue: {} } : {}),
  }
  company.sessions.set(session.id, session)
  return session
}

export function isActive({ endMs }: Session): boolean {
  return endMs === undefined
}

/** The session by its id, or by its formatted id with or without the hyphens. */
export function findSession({ sessions }: Company, id: string): Session | undefined {
  const digits = /^\d{3}-?\d{3}-?\d{3}$/.test(id) ? id.replaceAll('-', '') : undefined
  return (
    sessions.get(id) ??
    [...sessions.values()].find(({ formattedId }) => formattedId.replaceAll('-', '') === digits)
  )
}

/** The session, ended; one that ended before stays as it is. */
export function endSession(company: Company, session: Session, nowMs: number): Session {
  if (!isActive(session)) return session
  const ended = { ...session, endMs: Math.max(nowMs, session.startMs) }
  company.sessions.set(session.id, ended)
  return ended
}

/** Ends what nobody led in time (spec 3), as of the moment when its link ran out. */
export function closeUnopened(service: Service, nowMs: number): void {
  for (const company of service.companies.values()) {
    for (const session of company.sessions.values()) {
      const deadlineMs = session.startMs + LEADER_LINK_MS
      if (!session.isOpened && nowMs >= deadlineMs) endSession(company, session, deadlineMs)
    }
  }
}

/** Somebody follows one of the session's links; a follower takes it out of the queue. */
export function joinSession(
  company: Company,
  session: Session,
  role: 'leader' | 'follower',
  nowMs: number,
): Session {
  const hasQueued = session.queue !== undefined && session.queue.leftAtMs === undefined
  const joined: Session = {
    ...session,
    participants: session.participants + 1,
    isOpened: session.isOpened || role === 'leader',
    ...(hasQueued && role === 'follower' ? { queue: { leftAtMs: nowMs } } : {}),
  }
  company.sessions.set(session.id, joined)
  return joined
}

const LEADER_LINK_MS = 2 * 60 * 1000
