import { html } from 'hono/html'
import { NOT_STORED } from '../rest/reply.ts'
import { type AppContext, type Arrival, readBody } from '../state/arrival.ts'
import { findAgentByToken } from '../state/company.ts'
import type { SandboxState } from '../state/sandbox-state.ts'
import { joinSession, type Service } from '../state/service.ts'
import { isActive, isLed, type Participant, type Session } from '../state/session.ts'
import { sendPage } from './service-page.ts'

/**
 * Answers a link of a session that the API returned: joins it, or shows a screenshot; `undefined` for any other path.
 * **Ours:** with `?agent_token=` the token's agent joins.
 */
export function answerSessionLink(arrival: Arrival, service: Service, nowMs: number): Response | undefined {
  const link = LINK.exec(arrival.path)?.groups
  if (link === undefined) return undefined
  if (arrival.method !== 'GET') return text(405, 'A link is opened with GET.', { Allow: 'GET' })
  const session = service.sessions.get(link.id ?? link.imageOf ?? '')
  if (session !== undefined && link.number !== undefined) return image(session, link.number)
  // **Ours:** a session has one leader; whoever opens the leader's link later follows.
  const role = link.role === 'leader' && session !== undefined && !isLed(session) ? 'leader' : 'follower'
  const join = joinAs(session, role, arrival.query.get('agent_token') ?? undefined, nowMs)
  if ('status' in join) return text(join.status, join.line)
  return text(303, 'Joined.', { Location: join.path })
}

/** Joins the one active session that has the PIN, as a follower. */
export async function answerJoin(c: AppContext, { service, clock }: SandboxState): Promise<Response> {
  const body = await readBody(c.env.incoming)
  if (body instanceof Response) return body
  const form = new URLSearchParams(body.toString('utf8'))
  const [pin, agentToken] = [form.get('pin') ?? '', form.get('agent_token') || undefined]
  if (!/^\d{4}$/.test(pin)) return sendForm(c, 400, form, 'A PIN has four digits.')
  const session = [...service.sessions.values()].find((each) => isActive(each) && each.pin === pin)
  const join = joinAs(session, 'follower', agentToken, clock.nowMs())
  return 'status' in join ? sendForm(c, join.status, form, join.line) : c.redirect(join.path, 303)
}

/** Sends the page where an agent joins a session by its PIN; a link may fill in both fields. */
export function sendForm(
  c: AppContext,
  status: 200 | 400 | 403 | 404 | 410,
  form: URLSearchParams,
  refusal?: string,
): Promise<Response> {
  const main = html`<section class="verdict"><p class="kicker">The agent’s side</p><h1>Join a session</h1>
<p class="lead">The visitor reads four digits to you. With an agent’s token you join as that agent; without one you watch
as a visitor.</p></section>
<section class="panel"><form method="post" action="/join" class="join">
${refusal === undefined ? '' : html`<p class="refusal" role="alert">${refusal}</p>`}
<label class="field">PIN<input name="pin" value="${form.get('pin') ?? ''}" inputmode="numeric" pattern="[0-9]{4}" maxlength="4" required autocomplete="off" autofocus></label>
<label class="field">Agent token<input name="agent_token" value="${form.get('agent_token') ?? ''}" autocomplete="off" spellcheck="false"></label>
<button class="action">Join</button></form></section>`
  return sendPage(c, status, { title: 'Join a session', main })
}

/** Lets a visitor, or the agent of a token, join a session, unless there is none. */
function joinAs(
  session: Session | undefined,
  role: Participant['role'],
  agentToken: string | undefined,
  nowMs: number,
) {
  if (session === undefined) return { status: 404, line: 'There is no such session, or it is over.' } as const
  if (!isActive(session)) return { status: 410, line: 'The session is over.' } as const
  const agent = agentToken === undefined ? undefined : findAgentByToken(session.company, agentToken, nowMs)
  if (agentToken !== undefined && agent === undefined) {
    const line =
      'The agent token is not the active token of an agent of this account. Generate a new one, or leave it out to watch as a visitor.'
    return { status: 403, line } as const
  }
  return joinSession(session, role, agent?.agent_id, nowMs)
}

function image({ formattedId, screenshots }: Session, number: string): Response {
  if (screenshots === undefined) return text(404, 'There is no such screenshot.')
  const width = screenshots.widthPixels
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" viewBox="0 0 320 180">
  <rect width="320" height="180" fill="#dfe7ec"/>
  <text x="160" y="90" text-anchor="middle" font-family="sans-serif" font-size="14">Stand-in ${formattedId}, image ${number}</text>
</svg>
`
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml', ...NOT_STORED } })
}

function text(status: number, line: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${line}\n`, { status, headers: { ...NOT_STORED, ...headers } })
}

const LINK =
  /^\/session\/(?<id>[0-9a-z]+)\/(?<role>leader|follower)$|^\/screenshot\/(?<imageOf>[0-9a-z]+)\/(?<number>\d{1,15})\.svg$/
