import { optionMembers, parseOptions } from '../options/option-values.ts'
import { commaSeparated, isAsked, queryBoolean, queryInteger } from '../schema/query.ts'
import { boolean, integer, listOf, optional, text, type ValuesOf, webUrl } from '../schema/schema.ts'
import { askLatest, startScreenshots } from '../state/screenshots.ts'
import type { Company } from '../state/service.ts'
import { clientsOf } from '../state/service.ts'
import { isActive, type Session } from '../state/session.ts'
import { endSession, findSession, openSession } from '../state/sessions.ts'
import { unknownAgent } from './agents.ts'
import { notFound, ok, type Reply, refused, toFieldErrors } from './reply.ts'
import { type Named, type Route, route } from './route.ts'
import { announceStart, toCreatedBody, toLink, toResellerBody, toSessionBody } from './session-body.ts'

const filters = {
  active_session: optional(queryBoolean),
  agent_id: optional(queryInteger(0)),
  year: optional(queryInteger(1)),
  month: optional(queryInteger(1, 12)),
  pin: optional(queryInteger(0, 9999)),
  tags: optional(commaSeparated),
} as const

export function sessionOf({ company, segments }: Named): Session | Reply {
  return findSession(company, segments.ID ?? '') ?? notFound('session_id', 'session with this id')
}

/** Sessions (spec 4.2). */
export const sessionRoutes: readonly Route[] = [
  route('GET /sessions/', 'List the sessions, the newest first; with clientkey, those of a client', {
    query: { ...filters, clientkey: optional(text) },
    responses: { 200: 'The sessions' },
    answer({ query, ...call }) {
      if (query.clientkey === undefined) {
        return ok(listed(call.company, query).map((session) => toSessionBody(session, call)))
      }
      const client = findClientOf(call, query.clientkey)
      if ('status' in client) return client
      // **Ours:** here active_session is false by default, and then filters nothing.
      const filter = { ...query, active_session: query.active_session || undefined }
      return ok(listed(client, filter).map((session) => toResellerBody(session, call)))
    },
  }),
  route('POST /sessions/', 'Start a session; any session option may be added to the fields', {
    body: {
      ...optionMembers,
      url: webUrl,
      agent_id: optional(integer(1)),
      tags: optional(listOf(text)),
      skip_queue: optional(boolean),
    },
    responses: { 200: 'The session with its leader_link' },
    answer(call) {
      const { service, company, body, nowMs } = call
      const options = parseOptions(body)
      if ('faults' in options) return refused(400, toFieldErrors(options.faults))
      if (body.agent_id !== undefined && !company.agents.has(body.agent_id)) return unknownAgent()
      const { widget_key: widgetKey = '' } = options.value
      const hasWidgetKey = widgetKey !== '' && widgetKey !== 0
      if (hasWidgetKey && widgetKey !== company.widget_key) {
        return refused(400, { widget_key: ['It is not the widget key of this account.'] })
      }
      const session = openSession(service, company, {
        url: body.url,
        agentId: body.agent_id,
        tags: body.tags ?? [],
        options: options.value,
        startMs: nowMs,
        isQueued: hasWidgetKey && body.skip_queue !== true,
      })
      const created = toCreatedBody(session, call)
      return {
        ...ok({ ...created, leader_link: toLink(session, call.root, 'leader') }),
        events: announceStart(session, company, call),
      }
    },
  }),
  route('GET /sessions/{ID}/', 'Read a session by its formatted or unformatted id', {
    find: sessionOf,
    responses: { 200: 'The session' },
    answer: (call) => ok(toSessionBody(call.subject, call)),
  }),
  route('POST /sessions/{ID}/end/', 'End a session; one that has ended stays as it is', {
    find: sessionOf,
    body: {},
    responses: { 200: 'The session with its end_time and duration' },
    answer: (call) =>
      ok(toSessionBody(endSession({ company: call.company, session: call.subject }, call.nowMs), call)),
  }),
]

/** **Ours:** a session has to pass every filter and have every tag. */
function listed({ sessions }: Company, filter: ValuesOf<typeof filters>): readonly Session[] {
  const pin = filter.pin === undefined ? undefined : String(filter.pin).padStart(4, '0')
  return [...sessions.values()]
    .filter((session) => {
      const start = new Date(session.startMs)
      return (
        isAsked(filter.active_session, isActive(session)) &&
        isAsked(filter.agent_id, session.agentId) &&
        isAsked(filter.year, start.getUTCFullYear()) &&
        isAsked(filter.month, start.getUTCMonth() + 1) &&
        isAsked(pin, session.pin) &&
        (filter.tags ?? []).every((tag) => session.tags.includes(tag))
      )
    })
    .reverse()
}

function findClientOf({ service, company }: Named, key: string): Company | Reply {
  if (company.resellerKey === undefined) {
    return refused(403, { clientkey: ['It is for the account of a reseller only.'] })
  }
  const client = clientsOf(service, company).find(({ client_key }) => client_key === key)
  return client ?? notFound('clientkey', 'client with this key')
}

/** Screenshots of running sessions (spec 4.4). */
export const screenshotRoutes: readonly Route[] = [
  route(
    'GET /sessions/{ID}/screenshots/latest/',
    'Read the address of the latest image, which keeps the generation going',
    {
      responses: { 200: 'The address' },
      find: sessionOf,
      answer({ company, subject: session, nowMs, root }) {
        const latest = askLatest(company, session, nowMs)
        if (latest === undefined) return notFound('screenshot', 'screenshot of this session')
        return ok({ url: `${root}/screenshot/${session.id}/${latest}.svg` })
      },
    },
  ),
  route(
    'POST /sessions/{ID}/screenshots/create/',
    'Start the generation; how that went is the text of the answer',
    {
      body: { size: optional(integer(1)), interval: optional(integer(0)) },
      responses: { 200: 'text/plain: GENERATION-STARTED, ALREADY-RUNNING or FAILED-INTERNALLY' },
      find: sessionOf,
      answer({ service: { windowWidthPixels }, company, subject: session, body, nowMs }) {
        const asked = { widthPixels: body.size ?? windowWidthPixels, intervalSeconds: body.interval ?? 0 }
        return { status: 200, text: startScreenshots(company, session, asked, windowWidthPixels, nowMs) }
      },
    },
  ),
]
