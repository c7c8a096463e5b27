import { html } from 'hono/html'
import * as v from 'valibot'
import { NOT_STORED, refused, refusedFor } from '../rest/reply.ts'
import { filledText, optional } from '../schema/schema.ts'
import type { SandboxState } from '../seed/sandbox-state.ts'
import { isActive } from '../state/session.ts'
import { type AppContext, parseBody, readBody } from '../wire/arrival.ts'
import { sendPage } from './service-page.ts'
import { type JoinRefusal, joinAs } from './session-links.ts'

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

/** An empty field of a form counts as left out. */
function toJson(form: URLSearchParams): Buffer {
  return Buffer.from(JSON.stringify(Object.fromEntries([...form].filter(([, value]) => value !== ''))))
}

const joinMembers = {
  pin: v.pipe(filledText, v.regex(/^\d{4}$/, 'must be four digits')),
  agent_token: optional(filledText),
} as const

const BODY_LIMIT_OCTETS = 16 * 1024
