import { valuesOf } from '../../http/fields.ts'
import { NOT_STORED, refused, toFieldErrors } from '../rest/reply.ts'
import { announceStart, toLink } from '../rest/session-body.ts'
import { type AppContext, judgeCors, observeArrival, parseBody, readBody } from '../state/arrival.ts'
import type { Company } from '../state/company.ts'
import type { SandboxState } from '../state/sandbox-state.ts'
import { findCompany, joinSession, openSession } from '../state/service.ts'
import { beginVisit, type VisitStart, visitMembers } from '../state/visit.ts'

/**
 * Answers the widget that starts a session, from a page of any origin: its key is in every page of the customer. But a page may
 * send it only for itself.
 */
export async function answerStart(c: AppContext, state: SandboxState): Promise<Response> {
  const body = await readBody(c.env.incoming, BODY_LIMIT_OCTETS)
  if (body instanceof Response) return body
  const arrival = observeArrival(c.env.incoming, body)
  const { isPreflight, headers: cors } = judgeCors(arrival, () => true)
  if (isPreflight) return c.body(null, 204, { ...cors, ...NOT_STORED })
  const parsed = parseBody(visitMembers, body)
  if ('faults' in parsed) return refused(400, toFieldErrors(parsed.faults), cors)
  const { widgetKey, ...start } = parsed.value
  const company = findCompany(state.service, ({ widget_key }) => widget_key === widgetKey)
  if (company === undefined) return refused(403, { widgetKey: ['The service knows no such key.'] }, cors)
  const [origin = ''] = valuesOf(arrival.fields, 'origin')
  if (new URL(start.pageUrl).origin !== origin) {
    return refused(403, { pageUrl: ['It must have the origin of the page that sends this.'] }, cors)
  }
  return c.json(startSession(start, arrival.root, company, state), 201, { ...cors, ...NOT_STORED })
}

/** Starts a session that the visitor leads; the widget key queues it (spec 3). */
function startSession(
  start: VisitStart,
  root: string,
  company: Company,
  { service, clock, deliveries }: SandboxState,
) {
  const nowMs = clock.nowMs()
  const session = openSession(service, {
    company,
    url: start.pageUrl,
    agentId: undefined,
    tags: [],
    options: {},
    startMs: nowMs,
    isQueued: start.skip_queue !== true,
  })
  const visit = beginVisit(start, root, session.options)
  session.visit = visit
  const { path } = joinSession(session, 'leader', undefined, nowMs)
  announceStart(session, { service, deliveries, root, nowMs })
  return {
    session: session.id,
    formatted_id: session.formattedId,
    pin: session.pin,
    queued: session.queue !== undefined,
    leader_link: toLink(session, root, 'leader'),
    follower_link: toLink(session, root, 'follower'),
    url: root + path,
    points: visit.points.map(({ url }) => url),
  }
}

const BODY_LIMIT_OCTETS = 256 * 1024
