import { createHash } from 'node:crypto'
import { NOT_STORED } from '../rest/reply.ts'
import type { SandboxState } from '../seed/sandbox-state.ts'
import { controls, endSession, isActive, isVisitor, mayEnd, type Session } from '../state/session.ts'
import { closeUnopened } from '../state/sessions.ts'
import { takeStep } from '../state/visit.ts'
import { isAwaitingReturn } from '../state/visit-cookies.ts'
import type { App, AppContext } from '../wire/arrival.ts'
import { isView, openView, renderViews, VIEW_FIELDS } from './agent-views.ts'
import { answerStart } from './answer-start.ts'
import { answerJoin, answerJoinPage } from './join.ts'
import { sendPage } from './service-page.ts'
import { windowPath } from './session-links.ts'
import { NO_WINDOW, renderWindow, type SessionWindow } from './window-page.ts'

/**
 * The pages and calls with which browsers start, join and lead a session, except for those at the continuation points. All of
 * it is the stand-in's own: the service's pages are not documented.
 *
 * | request | does |
 * | --- | --- |
 * | `POST /_widget/sessions` | the widget starts a session; answers its links and PIN, the visitor's window and the URLs to call in order |
 * | `GET /join` | a form for a PIN and an agent's token |
 * | `POST /join` | joins by PIN as a follower; a form leads to the window, JSON gets its address |
 * | `GET /session/ID/windows/W` | a participant's window of the session, a page |
 * | `GET /session/ID/windows/W/views/V` | the customer's page with the session's cookies, or with the widget's alone |
 * | `GET /session/ID/windows/W/state` | `{ stamp }`, which changes with the page |
 * | `POST /session/ID/windows/W/steps/N` | takes a step in the session |
 * | `POST /session/ID/windows/W/end` | ends the session |
 */
export function addSessionPages(app: App, state: SandboxState): void {
  app.on(['POST', 'OPTIONS'], '/_widget/sessions', (c) => answerStart(c, state))
  app.get('/join', (c) => answerJoinPage(c))
  app.post('/join', (c) => answerJoin(c, state))
  app.get(WINDOW, (c) => withWindow(c, state, (window) => answerWindow(c, window, state)))
  app.get(`${WINDOW}/state`, (c) =>
    withWindow(c, state, ({ session }) => c.json({ stamp: hashVisible(session) }, 200, NOT_STORED)),
  )
  app.get(`${WINDOW}/views/:view`, (c) =>
    withWindow(c, state, async ({ session: { url, visit } }) => {
      const [view, page] = [c.req.param('view') ?? '', state.options.findPage(url)]
      if (!isView(view) || page === undefined || visit === undefined) return sendPage(c, 404, NO_WINDOW)
      return c.body(await openView(view, page, visit), 200, VIEW_FIELDS)
    }),
  )
  app.post(`${WINDOW}/steps/:index`, (c) =>
    withWindow(c, state, ({ session, participant }) => {
      const { visit } = session
      if (visit !== undefined && isActive(session) && controls(session, participant)) {
        takeStep(visit, Number(c.req.param('index')))
      }
      return c.redirect(windowPath(session, participant), 303)
    }),
  )
  app.post(`${WINDOW}/end`, (c) =>
    withWindow(c, state, ({ session, participant }) => {
      if (mayEnd(session, participant)) endSession(session, state.clock.nowMs())
      return c.redirect(windowPath(session, participant), 303)
    }),
  )
  for (const path of ['/_widget/*', '/session/:id/windows/*', '/join']) {
    app.all(path, (c) => sendPage(c, 404, NO_WINDOW))
  }
}

function withWindow(
  c: AppContext,
  { service, clock }: SandboxState,
  answer: (window: SessionWindow) => Response | Promise<Response>,
): Response | Promise<Response> {
  closeUnopened(service, clock.nowMs())
  const session = service.sessions.get(c.req.param('id') ?? '')
  const participant = session?.participants.find(({ id }) => id === c.req.param('window'))
  if (session === undefined || participant === undefined) return sendPage(c, 404, NO_WINDOW)
  return answer({ session, participant })
}

function answerWindow(
  c: AppContext,
  window: SessionWindow,
  { clock, options }: SandboxState,
): Promise<Response> {
  const { session, participant } = window
  const { visit, url } = session
  const page = options.findPage(url)
  const points = visit?.points.map(({ origin }) => origin) ?? []
  const hasAsked = c.req.query('returned') !== undefined
  const shown = {
    ...window,
    hasAsked,
    nowMs: clock.nowMs(),
    stamp: hashVisible(session),
    restore: listRestoreCalls(window, hasAsked),
    views:
      page === undefined || visit === undefined
        ? undefined
        : renderViews(windowPath(session, participant), page, visit),
  }
  return sendPage(c, 200, renderWindow(shown), {
    connect: ["'self'", ...points],
    form: "'self'",
    frame: "'self'",
    // **Ours:** an embed link leads here, so any site may be the agents' desk.
    ...(participant.agentId === undefined ? {} : { framedBy: '*' }),
  })
}

/** The calls that return changed cookies. Only the visitor's browser may make them: the cookies are its own. */
function listRestoreCalls({ session, participant }: SessionWindow, hasAsked: boolean): readonly string[] {
  const { visit, id } = session
  if (visit === undefined || isActive(session) || !isVisitor(participant) || hasAsked) return []
  if (!isAwaitingReturn(visit)) return []
  return visit.points.map(({ url }, index) => `${url}restore?session=${id}&point=${index}`)
}

/** Everything in a page that other windows can change. */
function hashVisible({ participants, visit, endMs }: Session): string {
  const cookies = visit?.cookies.map(({ value, change }) => [
    value,
    typeof change === 'string' ? change : 'sent',
  ])
  const seen = JSON.stringify([participants.length, endMs ?? null, cookies ?? []])
  return createHash('sha256').update(seen).digest('base64url')
}

const WINDOW = '/session/:id/windows/:window'
