import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { valuesOf } from '../../http/fields.ts'
import { type Account, isPageOrigin } from '../account.ts'
import { observeArrival } from '../arrival.ts'
import { readBody } from '../body.ts'
import { corsFields, preflightFields } from '../continuation/cors.ts'
import { contentSecurityPolicy, type Reach } from '../look/document.ts'
import { toFieldErrors } from '../rest/reply.ts'
import { accountOf, type SandboxState } from '../sandbox-state.ts'
import { parseBody } from '../shape/body.ts'
import { freshKey } from '../state/fresh.ts'
import { renderNoSession, renderSession } from './session-page.ts'
import { sessionStartMembers } from './session-start.ts'
import { beginSession, type SessionStart, takeStep, type WidgetSession } from './widget-session.ts'

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

async function answerStart(c: AppContext, state: SandboxState): Promise<Response> {
  const body = await readBody(c.env.incoming, BODY_LIMIT_OCTETS)
  if (body === 'aborted') return c.body(null, 400)
  if (body === 'too-large') return c.json({ errors: { body: ['It is too large.'] } }, 413)
  const parsed = parseBody(sessionStartMembers, body)
  const account = accountOf(state, 'value' in parsed ? [parsed.value.widgetKey] : [])
  const arrival = observeArrival(c.env.incoming, body)
  const mayRead = (origin: string) => isPageOrigin(account, origin)
  const headers = { ...corsFields(arrival.fields, mayRead), 'Cache-Control': 'no-store' }
  const preflight = preflightFields(arrival, mayRead)
  if (preflight !== undefined) return c.body(null, 204, { ...headers, ...preflight })
  if ('faults' in parsed) return c.json({ errors: toFieldErrors(parsed.faults) }, 400, headers)
  if (parsed.value.widgetKey !== account.widgetKey) {
    return c.json({ errors: { widgetKey: ['The service knows no such key.'] } }, 403, headers)
  }
  const session = openSession(c, parsed.value, state, account)
  if (session === 'foreign-page') {
    return c.json(
      { errors: { pageUrl: ['It is no page of the account, or not the one that asks.'] } },
      403,
      headers,
    )
  }
  const { points, options } = session
  return c.json(
    {
      session: session.id,
      url: `${session.serviceOrigin}${pathOf(session)}`,
      points: options.cookie_transfer_proxying ? points.map(({ url }) => url) : [],
    },
    201,
    headers,
  )
}

function openSession(
  c: AppContext,
  start: SessionStart & { readonly widgetKey: string },
  { random, widgetSessions }: SandboxState,
  account: Account,
): WidgetSession | 'foreign-page' {
  const { rawHeaders } = c.env.incoming
  const session = beginSession(
    start,
    {
      id: freshKey(random),
      origin: valuesOf(rawHeaders, 'origin')[0] ?? '',
      serviceOrigin: `http://${valuesOf(rawHeaders, 'host')[0] ?? ''}`,
    },
    account,
  )
  if (session === 'foreign-page') return session
  const [oldest = ''] = widgetSessions.keys()
  if (widgetSessions.size >= MOST_SESSIONS) widgetSessions.delete(oldest)
  widgetSessions.set(session.id, session)
  return session
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

function pathOf({ id }: WidgetSession): string {
  return `/_widget/sessions/${id}`
}

const BODY_LIMIT_OCTETS = 256 * 1024
const MOST_SESSIONS = 100
