import * as v from 'valibot'
import type { Company } from '../state/company.ts'
import { optionMembers, parseOptions } from '../state/option-values.ts'
import {
  boolean,
  integer,
  listOf,
  nullable,
  number,
  optional,
  text,
  timestamp,
  type ValuesOf,
  webUrl,
} from '../state/schema.ts'
import { clientsOf, findSession, openSession, sessionsOf } from '../state/service.ts'
import { askLatest, endSession, isActive, type Session, startScreenshots } from '../state/session.ts'
import { answerPage, NOT_STORED, notFound, refused, refusedFor } from './reply.ts'
import { type Named, type Route, route } from './route.ts'
import {
  announceStart,
  durationSeconds,
  toCreatedBody,
  toLink,
  toResellerBody,
  toSessionBody,
} from './session-body.ts'

/** Items between commas, blank ones dropped. */
const commaSeparated = v.pipe(
  v.string(),
  v.transform((value): readonly string[] =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
)

const listFilters = {
  active_session: optional(boolean),
  agent_id: optional(nullable(integer(0))),
  year: optional(integer(1)),
  month: optional(integer(1, 12)),
  pin: optional(nullable(integer(0, 9999))),
  tags: optional(commaSeparated),
} as const

const seconds = optional(v.pipe(number, v.minValue(0, 'must be at least 0')))

const historyFilters = {
  active_session: optional(boolean),
  agent_id: optional(nullable(integer(0))),
  pin: optional(nullable(v.pipe(text, v.regex(/^\d{4}$/, 'must be four digits, or null')))),
  tags: v.array(v.string()),
  min_duration: seconds,
  max_duration: seconds,
  min_date: optional(timestamp),
  max_date: optional(timestamp),
} as const

const find = ({ service, company, segments }: Named): Session | Response =>
  findSession(service, company, segments.ID ?? '') ?? notFound('session_id', 'session with this id')

/** Sessions (spec 4.2), screenshots of running ones (4.4) and their history (4.7). */
export const sessionRoutes: readonly Route[] = [
  route('GET /sessions/', {
    query: { ...listFilters, clientkey: optional(text) },
    answer({ query, ...call }) {
      const { clientkey, ...filter } = query
      const company = clientkey === undefined ? call.company : findClientOf(call, clientkey)
      if (company instanceof Response) return company
      const toBody = clientkey === undefined ? toSessionBody : toResellerBody
      // **Ours:** of a client active_session is false by default, and then filters nothing.
      if (clientkey !== undefined && filter.active_session === false) filter.active_session = undefined
      return sessionsOf(call.service, company)
        .filter((session) => isListed(session, filter))
        .reverse()
        .map((session) => toBody(session, call))
    },
  }),
  route('POST /sessions/', {
    takesOptions: true,
    body: {
      ...optionMembers,
      url: webUrl,
      agent_id: optional(integer(1)),
      tags: optional(listOf(text)),
      skip_queue: optional(boolean),
    },
    answer(call) {
      const { service, company, body, others, nowMs: startMs } = call
      const options = parseOptions(body)
      if ('faults' in options) return refusedFor(options.faults)
      const { widget_key: widgetKey = '' } = options.value
      const hasWidgetKey = widgetKey !== '' && widgetKey !== 0
      if (hasWidgetKey && widgetKey !== company.widget_key)
        return refused(400, { widget_key: ['It is not the widget key of this account.'] })
      const { url, agent_id: agentId, tags = [] } = body
      const isQueued = hasWidgetKey && body.skip_queue !== true
      const all = { ...options.value, ...others }
      const session = openSession(service, { company, url, agentId, tags, options: all, startMs, isQueued })
      announceStart(session, call)
      return { ...toCreatedBody(session, call), leader_link: toLink(session, call.root, 'leader') }
    },
  }),
  route('GET /sessions/{ID}/', { find, answer: (call) => toSessionBody(call.subject, call) }),
  route('POST /sessions/{ID}/end/', {
    find,
    body: {},
    answer(call) {
      endSession(call.subject, call.nowMs)
      return toSessionBody(call.subject, call)
    },
  }),
]

export const screenshotRoutes: readonly Route[] = [
  route('GET /sessions/{ID}/screenshots/latest/', {
    find,
    answer({ subject: session, nowMs, root }) {
      const latest = askLatest(session, nowMs)
      if (latest === undefined) return notFound('screenshot', 'screenshot of this session')
      return { url: `${root}/screenshot/${session.id}/${latest}.svg` }
    },
  }),
  route('POST /sessions/{ID}/screenshots/create/', {
    find,
    body: { size: optional(integer(1)), interval: optional(integer(0)) },
    answer({ subject, body, nowMs }) {
      return new Response(startScreenshots(subject, body, nowMs), {
        headers: { 'Content-Type': 'text/plain; charset=utf-8', ...NOT_STORED },
      })
    },
  }),
]

export const historyRoute: Route = route('GET /history/', {
  query: { ...historyFilters, page: optional(integer(1)) },
  answer(call) {
    const sessions = sessionsOf(call.service, call.company)
      .filter((session) => isInHistory(session, call.query))
      .sort((a, b) => b.startMs - a.startMs)
    return answerPage(call, sessions, (session) => toSessionBody(session, call))
  },
})

/** **Ours:** a session has to pass every filter and have every tag. */
function isListed(session: Session, filter: ValuesOf<typeof listFilters>): boolean {
  const start = new Date(session.startMs)
  const tags = new Set(session.tags)
  return (
    isAsked(filter.active_session, isActive(session)) &&
    isAsked(filter.agent_id, session.agentId) &&
    isAsked(filter.year, start.getUTCFullYear()) &&
    isAsked(filter.month, start.getUTCMonth() + 1) &&
    isAsked(filter.pin, Number(session.pin)) &&
    (filter.tags ?? []).every((tag) => tags.has(tag))
  )
}

/** **Ours:** a session has to have every tag, and a running one has no duration to compare. */
function isInHistory(session: Session, filter: ValuesOf<typeof historyFilters>): boolean {
  const { startMs, endMs } = session
  const tags = new Set(session.tags)
  const seconds = endMs === undefined ? undefined : durationSeconds(startMs, endMs)
  return (
    isAsked(filter.active_session, isActive(session)) &&
    isAsked(filter.agent_id, session.agentId) &&
    isAsked(filter.pin, session.pin) &&
    filter.tags.every((tag) => (tag === 'null' ? tags.size === 0 : tags.has(tag))) &&
    (filter.min_duration === undefined || (seconds !== undefined && seconds >= filter.min_duration)) &&
    (filter.max_duration === undefined || (seconds !== undefined && seconds <= filter.max_duration)) &&
    startMs >= (filter.min_date ?? startMs) &&
    (filter.max_date === undefined || startMs < filter.max_date)
  )
}

/** Whether a value matches the filter, if there is one; `null` matches a missing value. */
function isAsked<T>(asked: T | null | undefined, actual: T | undefined): boolean {
  return asked === undefined || (asked === null ? actual === undefined : asked === actual)
}

function findClientOf({ service, company }: Named, key: string): Company | Response {
  if (company.resellerKey === undefined)
    return refused(403, { clientkey: ['It is for the account of a reseller only.'] })
  const client = clientsOf(service, company).find(({ client_key }) => client_key === key)
  return client ?? notFound('clientkey', 'client with this key')
}
