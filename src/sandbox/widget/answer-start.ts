import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { valuesOf } from '../../http/fields.ts'
import { type Account, isPageOrigin } from '../account.ts'
import { observeArrival } from '../arrival.ts'
import { readBody } from '../body.ts'
import { corsFields, preflightFields } from '../cors.ts'
import { toFieldErrors } from '../rest/reply.ts'
import { accountOf, type SandboxState } from '../sandbox-state.ts'
import { parseBody } from '../shape/body.ts'
import { freshKey } from '../state/fresh.ts'
import { beginSession, type SessionStart } from './begin-session.ts'
import { sessionStartMembers } from './session-start-members.ts'
import type { WidgetSession } from './widget-session.ts'

type AppContext = Context<{ Bindings: HttpBindings }>

/**
 * Answers the widget that begins a session, on a page of another origin: 201 with the session, the address of its page
 * and the URLs to call in order, else `{ errors }` as the REST API words them.
 */
export async function answerStart(c: AppContext, state: SandboxState): Promise<Response> {
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
  if (parsed.value.widgetKey !== account.widgetKey) return c.json({ errors: UNKNOWN_KEY }, 403, headers)
  const session = openSession(c, parsed.value, state, account)
  return session === 'foreign-page'
    ? c.json({ errors: FOREIGN_PAGE }, 403, headers)
    : c.json(toBegun(session), 201, headers)
}

function toBegun(session: WidgetSession) {
  const { id, serviceOrigin, options, points } = session
  return {
    session: id,
    url: `${serviceOrigin}${pathOf(session)}`,
    points: options.cookie_transfer_proxying ? points.map(({ url }) => url) : [],
  }
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

/** Where a session's page is. */
export function pathOf({ id }: WidgetSession): string {
  return `/_widget/sessions/${id}`
}

const BODY_LIMIT_OCTETS = 256 * 1024
const MOST_SESSIONS = 100

const UNKNOWN_KEY = { widgetKey: ['The service knows no such key.'] }
const FOREIGN_PAGE = { pageUrl: ['It is no page of the account, or not the one that asks.'] }
