import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { contentSecurityPolicy, type Reach } from '../look/document.ts'
import type { SandboxState } from '../sandbox-state.ts'
import { answerStart, pathOf } from './answer-start.ts'
import { renderNoSession, renderSession } from './session-page.ts'
import { takeStep, type WidgetSession } from './widget-session.ts'

type App = Hono<{ Bindings: HttpBindings }>
type AppContext = Context<{ Bindings: HttpBindings }>

/**
 * What the widget stand-in asks of the service itself, below `/_widget/`; the calls at the continuation points go the
 * service's own way. The protocol is the stand-in's: the service's is not documented.
 *
 * | request | does |
 * | --- | --- |
 * | `POST /_widget/sessions` | begins a session; answers `{ session, url, points }`, the URLs to call in order |
 * | `GET /_widget/sessions/ID` | the session as an agent sees it, a page |
 * | `POST /_widget/sessions/ID/steps/N` | takes a step in the session |
 * | `POST /_widget/sessions/ID/end` | ends the session |
 */
export function widgetApp(state: SandboxState): App {
  const app: App = new Hono()
  app.on(['POST', 'OPTIONS'], '/_widget/sessions', (c) => answerStart(c, state))
  app.get('/_widget/sessions/:id', (c) => withSession(c, state, (session) => answerPage(c, session)))
  app.post('/_widget/sessions/:id/steps/:index', (c) =>
    withSession(c, state, (session) => {
      takeStep(session, Number(c.req.param('index')))
      return c.redirect(`${pathOf(session)}#carried`, 303)
    }),
  )
  app.post('/_widget/sessions/:id/end', (c) =>
    withSession(c, state, (session) => {
      session.state = 'ended'
      return c.redirect(pathOf(session), 303)
    }),
  )
  app.notFound((c) => page(c, 404, renderNoSession))
  return app
}

function withSession(
  c: AppContext,
  { widgetSessions }: SandboxState,
  answer: (session: WidgetSession) => Response | Promise<Response>,
): Response | Promise<Response> {
  const session = widgetSessions.get(c.req.param('id') ?? '')
  return session === undefined ? page(c, 404, renderNoSession) : answer(session)
}

function answerPage(c: AppContext, session: WidgetSession): Promise<Response> {
  return page(c, 200, (nonce) => renderSession(nonce, session, pathOf(session)), {
    connect: session.points.map(({ origin }) => origin),
    form: "'self'",
  })
}

async function page(
  c: AppContext,
  status: 200 | 404,
  render: (nonce: string) => Promise<string>,
  reach: Reach = {},
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  return c.html(await render(nonce), status, {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentSecurityPolicy(nonce, reach),
    'X-Content-Type-Options': 'nosniff',
  })
}
