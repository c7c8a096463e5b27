import * as v from 'valibot'
import { isAsked, orNull, queryBoolean, queryInteger, queryNumber, repeated } from '../schema/query.ts'
import { optional, text, timestamp, type ValuesOf } from '../schema/schema.ts'
import { isActive, type Session } from '../state/session.ts'
import { answerPage } from './page.ts'
import { type Route, route } from './route.ts'
import { durationSeconds, toSessionBody } from './session-body.ts'

const filters = {
  active_session: optional(queryBoolean),
  agent_id: optional(orNull(queryInteger(0))),
  pin: optional(orNull(v.pipe(text, v.regex(/^\d{4}$/, 'must be four digits, or null')))),
  tags: repeated,
  min_duration: optional(queryNumber),
  max_duration: optional(queryNumber),
  min_date: optional(timestamp),
  max_date: optional(timestamp),
} as const

/** Past and running sessions, page by page (spec 4.7). */
export const historyRoutes: readonly Route[] = [
  route('GET /history/', 'List sessions page by page, the newest first', {
    query: { ...filters, page: optional(queryInteger(1)) },
    responses: { 200: 'A page of the history' },
    answer(call) {
      const sessions = [...call.company.sessions.values()]
        .filter((session) => passes(session, call.query))
        .sort((a, b) => b.startMs - a.startMs)
      return answerPage(call, sessions, (session) => toSessionBody(session, call))
    },
  }),
]

/** **Ours:** a session has to have every tag, and a running one has no duration to compare. */
function passes(session: Session, filter: ValuesOf<typeof filters>): boolean {
  const { startMs, endMs, tags } = session
  const seconds = endMs === undefined ? undefined : durationSeconds(startMs, endMs)
  return (
    isAsked(filter.active_session, isActive(session)) &&
    isAsked(filter.agent_id, session.agentId) &&
    isAsked(filter.pin, session.pin) &&
    filter.tags.every((tag) => (tag === 'null' ? tags.length === 0 : tags.includes(tag))) &&
    (filter.min_duration === undefined || (seconds !== undefined && seconds >= filter.min_duration)) &&
    (filter.max_duration === undefined || (seconds !== undefined && seconds <= filter.max_duration)) &&
    startMs >= (filter.min_date ?? startMs) &&
    (filter.max_date === undefined || startMs < filter.max_date)
  )
}
