import type { OptionValues } from '../options/option-values.ts'
import type { Company } from './company.ts'
import type { Visit } from './visit.ts'

/** A co-browsing session, started by the REST API or a visitor's widget. */
export interface Session {
  /** Whose it is. */
  readonly company: Company
  readonly id: string
  /** Three groups of three digits joined by hyphens. */
  readonly formattedId: string
  /** Four digits, unique among active sessions. */
  readonly pin: string
  /** The agent who started it, else the first one who joined. */
  agentId: number | undefined
  readonly startMs: number
  endMs?: number
  /** In the order in which they joined; participants never leave. */
  readonly participants: Participant[]
  /** Present if it was ever queued. */
  readonly queue?: { leftAtMs?: number }
  readonly url: string
  readonly tags: readonly string[]
  /** With the plan's limits applied. */
  readonly options: OptionValues
  screenshots?: Screenshots
  /** What the widget carried; absent if the API started the session. */
  visit?: Visit
}

export interface Participant {
  /** The id of their window, which can't be guessed. */
  readonly id: string
  readonly role: 'leader' | 'follower'
  /** Absent for a visitor. */
  readonly agentId: number | undefined
}

export interface Screenshots {
  readonly widthPixels: number
  readonly intervalMs: number
  readonly startMs: number
  /** When the latest image was last requested, or the start. */
  askedMs: number
}

export function isActive({ endMs }: Session): boolean {
  return endMs === undefined
}

/** Ends the session, unless it has ended before. */
export function endSession(session: Session, nowMs: number): void {
  session.endMs ??= Math.max(nowMs, session.startMs)
}

/** Whether a leader has come. */
export function isLed({ participants }: Session): boolean {
  return participants.some(({ role }) => role === 'leader')
}

/** Whether this is the customer, whose cookies the session has. */
export function isVisitor({ role, agentId }: Participant): boolean {
  return role === 'leader' && agentId === undefined
}

/** The leader controls the session; an agent who follows too, unless switching is off (spec 1, 2.4). Others watch. */
export function controls({ options }: Session, { role, agentId }: Participant): boolean {
  return role === 'leader' || (agentId !== undefined && options.allow_control_switching !== false)
}

/** A visitor who leads may end the session, and an agent where the option allows that (spec 2.4). */
export function mayEnd({ options }: Session, { role, agentId }: Participant): boolean {
  return agentId === undefined ? role === 'leader' : options.agent_can_end_session !== false
}
