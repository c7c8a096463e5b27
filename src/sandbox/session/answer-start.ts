import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { valuesOf } from '../../http/fields.ts'
import { toFieldErrors } from '../rest/reply.ts'
import { announceStart, toLink } from '../rest/session-body.ts'
import { findByWidgetKey, type SandboxState, toSettings } from '../seed/sandbox-state.ts'
import { beginVisit, narrowOptions } from '../state/begin-visit.ts'
import type { Company } from '../state/service.ts'
import { limitedOptions } from '../state/service.ts'
import type { Participant, Session } from '../state/session.ts'
import { forgetVisits, joinSession, keepSession, openSession } from '../state/sessions.ts'
import { sessionStartMembers, type VisitStart } from '../state/visit-start.ts'
import { observeArrival } from '../wire/arrival.ts'
import { parseBody, readBody, refuseBody } from '../wire/body.ts'
import { corsFields, preflightFields } from '../wire/cors.ts'
import { windowPath } from './session-links.ts'

type AppContext = Context<{ Bindings: HttpBindings }>

/**
 * Answers the widget that starts a session, on a page of another origin: 201 with the session, the address of the
 * visitor's window and the URLs to call in order, else `{ errors }` in the form of the REST API. The widget key is in
 * every page of the customer, so any page may send it, but only for itself.
 */
export async function answerStart(c: AppContext, state: SandboxState): Promise<Response> {
  const body = await readBody(c.env.incoming, BODY_LIMIT_OCTETS)
  if (typeof body === 'string') return refuseBody(body, BODY_LIMIT_OCTETS)
  const arrival = observeArrival(c.env.incoming, body)
  const headers = { ...corsFields(arrival.fields, () => true), 'Cache-Control': 'no-store' }
  const preflight = preflightFields(arrival, () => true)
  if (preflight !== undefined) return c.body(null, 204, { ...headers, ...preflight })
  const parsed = parseBody(sessionStartMembers, body)
  if ('faults' in parsed) return c.json({ errors: toFieldErrors(parsed.faults) }, 400, headers)
  const { widgetKey, ...start } = parsed.value
  const company = findByWidgetKey(state.service, widgetKey)
  if (company === undefined) return c.json({ errors: UNKNOWN_KEY }, 403, headers)
  const [origin = ''] = valuesOf(arrival.fields, 'origin')
  if (new URL(start.pageUrl).origin !== origin) return c.json({ errors: ANOTHER_PAGE }, 403, headers)
  const serviceOrigin = `http://${valuesOf(arrival.fields, 'host')[0] ?? ''}`
  return c.json(startSession(start, serviceOrigin, company, state), 201, headers)
}

/** Starts a session that the visitor leads; the widget key queues it (spec 3). */
function startSession(
  start: VisitStart,
  serviceOrigin: string,
  company: Company,
  { service, clock, deliveries }: SandboxState,
) {
  const nowMs = clock.nowMs()
  const settings = toSettings(limitedOptions(service, company))
  const opened = openSession(service, company, {
    url: start.pageUrl,
    agentId: undefined,
    tags: [],
    options: { ...narrowOptions(settings, start.options) },
    startMs: nowMs,
    isQueued: start.skip_queue !== true,
  })
  const visit = beginVisit(start, serviceOrigin, toSettings(opened.options))
  const visited = keepSession(company, { ...opened, visit })
  const { session, participant } = joinSession(
    service,
    { company, session: visited },
    'leader',
    undefined,
    nowMs,
  )
  forgetVisits(company)
  const context = { service, root: serviceOrigin, nowMs }
  for (const event of announceStart(session, company, context)) deliveries.send(event)
  return toStarted(session, participant, serviceOrigin)
}

function toStarted(session: Session, participant: Participant, serviceOrigin: string) {
  const { id, formattedId, pin, queue, visit } = session
  return {
    session: id,
    formatted_id: formattedId,
    pin: pin ?? null,
    queued: queue !== undefined,
    leader_link: toLink(session, serviceOrigin, 'leader'),
    follower_link: toLink(session, serviceOrigin, 'follower'),
    url: `${serviceOrigin}${windowPath(session, participant)}`,
    points: visit?.continuation === 'on' ? visit.points.map(({ url }) => url) : [],
  }
}

const BODY_LIMIT_OCTETS = 256 * 1024

const UNKNOWN_KEY = { widgetKey: ['The service knows no such key.'] }
const ANOTHER_PAGE = { pageUrl: ['It must have the origin of the page that sends this.'] }
