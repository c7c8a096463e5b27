import { html } from 'hono/html'
import * as v from 'valibot'
import { NOT_STORED, refused, refusedFor } from '../rest/reply.ts'
import { type AppContext, type Arrival, parseBody, readBody } from '../state/arrival.ts'
import { findAgentByToken } from '../state/company.ts'
import type { SandboxState } from '../state/sandbox-state.ts'
import { filledText, optional } from '../state/schema.ts'
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
  return text(303, 'Joined.', { Location: join.participant.path })
}

/** Joins the one active session that has the PIN, as a follower. */
export async function answerJoin(c: AppContext, { service, clock }: SandboxState): Promise<Response> {
  const body = await readBody(c.env.incoming, BODY_LIMIT_OCTETS)
  if (body instanceof Response) return body
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')
  const form = new URLSearchParams(isForm ? body.toString('utf8') : '')
  const parsed = parseBody(joinMembers, isForm ? toJson(form) : body)
  if ('faults' in parsed) {
    return isForm ? sendForm(c, 400, form, 'A PIN has four digits.') : refusedFor(parsed.faults)
  }
  const { pin, agent_token } = parsed.value
  const session = [...service.sessions.values()].find((each) => isActive(each) && each.pin === pin)
  const join = joinAs(session, 'follower', agent_token, clock.nowMs())
  if ('status' in join) {
    const { status, field, line, hint } = join
    if (isForm) return sendForm(c, status, form, hint === undefined ? line : `${line} ${hint}`)
    return refused(status, { [field]: [line] })
  }
  const { path, agentId: agent_id = null } = join.participant
  if (isForm) return c.redirect(path, 303)
  const url = new URL(path, `http://${c.req.header('host') ?? ''}`).href
  return c.json({ session_id: join.session.id, agent_id, url }, 200, NOT_STORED)
}

/** Sends the page where an agent joins a session by its PIN; a link may fill in both fields. */
export function sendForm(
  c: AppContext,
  status: 200 | 400 | JoinRefusal['status'],
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
  return sendPage(c, status, { title: 'Join a session', main }, { form: "'self'" })
}

/** Lets a visitor, or the agent of a token, join a session, unless there is none. */
function joinAs(
  session: Session | undefined,
  role: Participant['role'],
  agentToken: string | undefined,
  nowMs: number,
) {
  if (session === undefined) {
    return refuse(404, 'pin', 'There is no such session.', 'A PIN is valid only while its session runs.')
  }
  if (!isActive(session)) return refuse(410, 'pin', 'The session is over.')
  const agent = agentToken === undefined ? undefined : findAgentByToken(session.company, agentToken, nowMs)
  if (agentToken !== undefined && agent === undefined) {
    const line = 'The agent token is not the active token of an agent of this account.'
    return refuse(403, 'agent_token', line, 'Generate a new one, or leave it out to watch as a visitor.')
  }
  return { session, participant: joinSession(session, role, agent?.agent_id, nowMs) }
}

type JoinRefusal = ReturnType<typeof refuse>

/** Of a call the wrong `field`; for people a `hint` what to do. */
function refuse(status: 403 | 404 | 410, field: 'pin' | 'agent_token', line: string, hint?: string) {
  return { status, field, line, hint }
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

/** An empty field of a form counts as left out. */
function toJson(form: URLSearchParams): Buffer {
  return Buffer.from(JSON.stringify(Object.fromEntries([...form].filter(([, value]) => value !== ''))))
}

const LINK =
  /^\/session\/(?<id>[0-9a-z]+)\/(?<role>leader|follower)$|^\/screenshot\/(?<imageOf>[0-9a-z]+)\/(?<number>\d{1,15})\.svg$/

const joinMembers = {
  pin: v.pipe(filledText, v.regex(/^\d{4}$/, 'must be four digits')),
  agent_token: optional(filledText),
} as const

const BODY_LIMIT_OCTETS = 16 * 1024
