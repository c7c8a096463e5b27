import type { Company, Settings } from './company.ts'
import type { OptionValues } from './option-values.ts'
import type { Visit } from './visit.ts'

/** A co-browsing session, started by the REST API or a visitor's widget. */
export interface Session {
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
  readonly options: OptionValues & Settings
  screenshots?: Screenshots
  /** What the widget carried; absent if the API started the session. */
  visit?: Visit
}

export interface Participant {
  /** Of their window; it can't be guessed. */
  readonly path: string
  readonly role: 'leader' | 'follower'
  /** Absent for a visitor. */
  readonly agentId: number | undefined
}

interface Screenshots {
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

/** Whether the leader does it, or an agent who follows where the option allows that (spec 1, 2.4). Others watch. */
export function may(
  option: 'allow_control_switching' | 'agent_can_end_session',
  { options }: Session,
  { role, agentId }: Participant,
): boolean {
  return role === 'leader' || (agentId !== undefined && options[option] !== false)
}

/** Starts the generation; returns the outcome in the service's words (spec 4.4). **Ours:** it fails for a session that has ended. */
export function startScreenshots(
  session: Session,
  asked: { readonly size?: number | undefined; readonly interval?: number | undefined },
  nowMs: number,
): 'GENERATION-STARTED' | 'ALREADY-RUNNING' | 'FAILED-INTERNALLY' {
  if (!isActive(session)) return 'FAILED-INTERNALLY'
  if (session.screenshots !== undefined && nowMs < endOf(session.screenshots)) return 'ALREADY-RUNNING'
  session.screenshots = {
    widthPixels: Math.min(asked.size ?? WINDOW_PIXELS, WINDOW_PIXELS),
    intervalMs: Math.max(asked.interval ?? 0, LEAST_INTERVAL_SECONDS) * 1000,
    startMs: nowMs,
    askedMs: nowMs,
  }
  return 'GENERATION-STARTED'
}

/** The number of the latest image, from 0; asking for it keeps the generation going. `undefined`: there is none. */
export function askLatest({ screenshots, endMs }: Session, nowMs: number): number | undefined {
  if (screenshots === undefined) return undefined
  const untilMs = Math.min(nowMs, endOf(screenshots), endMs ?? Number.POSITIVE_INFINITY)
  if (endMs === undefined && nowMs < endOf(screenshots)) screenshots.askedMs = nowMs
  return Math.max(0, Math.floor((untilMs - screenshots.startMs) / screenshots.intervalMs))
}

/** **Ours:** the generation stops after three intervals without a request. */
function endOf({ askedMs, intervalMs }: Screenshots): number {
  return askedMs + 3 * intervalMs
}

/** **Ours:** the width of every window. */
const WINDOW_PIXELS = 1280

const LEAST_INTERVAL_SECONDS = 5
