import { valuesOf } from '../../http/fields.ts'
import { NOT_STORED, refused, toFieldErrors } from '../rest/reply.ts'
import { announceStart, toLink } from '../rest/session-body.ts'
import {
  type App,
  type AppContext,
  judgeCors,
  observeArrival,
  parseBody,
  readBody,
} from '../state/arrival.ts'
import type { Company } from '../state/company.ts'
import type { SandboxState } from '../state/sandbox-state.ts'
import { findCompany, joinSession, openSession } from '../state/service.ts'
import { endSession, isActive, may } from '../state/session.ts'
import { beginVisit, takeStep, type VisitStart, visitMembers } from '../state/visit.ts'
import { sendPage } from './service-page.ts'
import { answerJoin, sendForm } from './session-links.ts'
import {
  hashVisible,
  isView,
  NO_WINDOW,
  openView,
  renderWindow,
  type SessionWindow,
  VIEW_FIELDS,
} from './window-page.ts'

/**
 * The pages and calls with which browsers start, join and lead a session, except for those at the continuation points. All of
 * it is the stand-in's own: the service's pages are not documented.
 *
 * | request | does |
 * | --- | --- |
 * | `POST /_widget/sessions` | the widget starts a session; answers its links and PIN, the visitor's window and the URLs to call in order |
 * | `GET /join` | a form for a PIN and an agent's token |
 * | `POST /join` | joins by PIN as a follower: the form leads to the window |
 * | `GET /session/ID/windows/W` | a participant's window of the session, a page |
 * | `GET /session/ID/windows/W/views/V` | the customer's page with the session's cookies, or with the widget's alone |
 * | `GET /session/ID/windows/W/state` | `{ stamp, expired }`: the stamp changes with the page; the customer's page may ask too |
 * | `POST /session/ID/windows/W/steps/N` | takes a step in the session |
 * | `POST /session/ID/windows/W/end` | ends the session |
 */
export function addSessionPages(app: App, state: SandboxState): void {
  app.on(['POST', 'OPTIONS'], '/_widget/sessions', (c) => answerStart(c, state))
  app.get('/join', (c) => sendForm(c, 200, new URLSearchParams(c.req.query())))
  app.post('/join', (c) => answerJoin(c, state))
  app.get(WINDOW, (c) =>
    withWindow(c, state, (window) => {
      const { visit, url } = window.session
      return sendPage(c, 200, renderWindow(window, state.findPage(url)), {
        connect: visit?.points.map(({ origin }) => origin) ?? [],
        // **Ours:** an embed link leads here, so any site may be the agents' desk.
        ...(window.participant.agentId === undefined ? {} : { framedBy: '*' }),
      })
    }),
  )
  app.get(`${WINDOW}/state`, (c) =>
    withWindow(c, state, ({ session }) =>
      c.json({ stamp: hashVisible(session), expired: !isActive(session) }, 200, STATE_FIELDS),
    ),
  )
  app.get(`${WINDOW}/views/:view`, (c) =>
    withWindow(c, state, async ({ session: { url, visit } }) => {
      const [view, page] = [c.req.param('view') ?? '', state.findPage(url)]
      if (!isView(view) || page === undefined || visit === undefined) return sendPage(c, 404, NO_WINDOW)
      return c.body(await openView(view, page, visit), 200, VIEW_FIELDS)
    }),
  )
  app.post(`${WINDOW}/steps/:index`, (c) =>
    withWindow(c, state, ({ session, participant }) => {
      const { visit } = session
      if (visit !== undefined && isActive(session) && may('allow_control_switching', session, participant))
        takeStep(visit, Number(c.req.param('index')))
      return c.redirect(participant.path, 303)
    }),
  )
  app.post(`${WINDOW}/end`, (c) =>
    withWindow(c, state, ({ session, participant }) => {
      if (may('agent_can_end_session', session, participant)) endSession(session, state.clock.nowMs())
      return c.redirect(participant.path, 303)
    }),
  )
  for (const path of ['/_widget/*', '/session/:id/windows/*', '/join'])
    app.all(path, (c) => sendPage(c, 404, NO_WINDOW))
}

/**
 * Answers the widget that starts a session, from a page of any origin: its key is in every page of the customer. But a page may
 * send it only for itself.
 */
async function answerStart(c: AppContext, state: SandboxState): Promise<Response> {
  const body = await readBody(c.env.incoming, START_LIMIT_OCTETS)
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
  if (new URL(start.pageUrl).origin !== origin)
    return refused(403, { pageUrl: ['It must have the origin of the page that sends this.'] }, cors)
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
    points: visit.points.map(({ href }) => href),
  }
}

function withWindow(
  c: AppContext,
  { service }: SandboxState,
  answer: (window: SessionWindow) => Response | Promise<Response>,
): Response | Promise<Response> {
  const { id = '', window } = c.req.param()
  const session = service.sessions.get(id)
  const participant = session?.participants.find(({ path }) => path === `/session/${id}/windows/${window}`)
  if (session === undefined || participant === undefined) return sendPage(c, 404, NO_WINDOW)
  return answer({ session, participant })
}

const WINDOW = '/session/:id/windows/:window'
const STATE_FIELDS = { ...NOT_STORED, 'Access-Control-Allow-Origin': '*' }
const START_LIMIT_OCTETS = 256 * 1024
