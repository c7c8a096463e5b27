import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { html } from 'hono/html'
import * as v from 'valibot'
import { toFieldErrors } from '../rest/reply.ts'
import { filledText, optional } from '../schema/schema.ts'
import type { SandboxState } from '../seed/sandbox-state.ts'
import { closeUnopened, findByPin } from '../state/sessions.ts'
import { parseBody, readBody, refuseBody } from '../wire/body.ts'
import { type ServicePage, sendPage } from './service-page.ts'
import { type Join, type JoinRefusal, joinAs, NO_SESSION } from './session-links.ts'

type AppContext = Context<{ Bindings: HttpBindings }>

/** Answers with the form; a link may fill in the PIN and the agent's token. */
export function answerJoinPage(c: AppContext): Promise<Response> {
  const { pin = '', agent_token: agentToken = '' } = c.req.query()
  return sendPage(c, 200, renderJoinPage({ pin, agentToken, refusal: undefined }), { form: "'self'" })
}

/** Joins the one active session that has the PIN, as a follower. */
export async function answerJoin(c: AppContext, state: SandboxState): Promise<Response> {
  const body = await readBody(c.env.incoming, BODY_LIMIT_OCTETS)
  if (typeof body === 'string') return refuseBody(body, BODY_LIMIT_OCTETS)
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')
  const parsed = parseBody(joinMembers, isForm ? toJson(body) : body)
  if ('faults' in parsed) {
    return isForm
      ? refuseForm(c, body, 400, 'A PIN has four digits.')
      : c.json({ errors: toFieldErrors(parsed.faults) }, 400, NOT_STORED)
  }
  const join = joinByPin(parsed.value, state)
  if ('status' in join) {
    const { status, field, line, hint } = join
    if (isForm) return refuseForm(c, body, status, hint === undefined ? line : `${line} ${hint}`)
    return c.json({ errors: { [field]: [line] } }, status, NOT_STORED)
  }
  if (isForm) return c.redirect(join.path, 303)
  const url = new URL(join.path, `http://${c.req.header('host') ?? ''}`).href
  const { session, participant } = join
  return c.json({ session_id: session.id, agent_id: participant.agentId ?? null, url }, 200, NOT_STORED)
}

function joinByPin(
  asked: { readonly pin: string; readonly agent_token?: string | undefined },
  { service, clock }: SandboxState,
): Join | JoinRefusal {
  const nowMs = clock.nowMs()
  closeUnopened(service, nowMs)
  const owned = findByPin(service, asked.pin)
  return owned === undefined ? NO_SESSION : joinAs(service, owned, 'follower', asked.agent_token, nowMs)
}

function refuseForm(
  c: AppContext,
  body: Buffer,
  status: 400 | JoinRefusal['status'],
  refusal: string,
): Promise<Response> {
  const form = new URLSearchParams(body.toString('utf8'))
  const shown = { pin: form.get('pin') ?? '', agentToken: form.get('agent_token') ?? '', refusal }
  return sendPage(c, status, renderJoinPage(shown), { form: "'self'" })
}

interface JoinForm {
  readonly pin: string
  readonly agentToken: string
  /** Why the join was refused; absent before the form was sent. */
  readonly refusal: string | undefined
}

/** Renders the page where an agent joins a session by its PIN. */
function renderJoinPage({ pin, agentToken, refusal }: JoinForm): ServicePage {
  return {
    title: 'Join a session',
    main: html`<section class="verdict"><p class="kicker">The agent’s side</p><h1>Join a session</h1>
<p class="lead">The visitor reads four digits to you. With an agent’s token you join as that agent; without one you watch
as a visitor.</p></section>
<section class="panel"><form method="post" action="/join" class="join">
${refusal === undefined ? '' : html`<p class="refusal" role="alert">${refusal}</p>`}
<label class="field">PIN<input name="pin" value="${pin}" inputmode="numeric" pattern="[0-9]{4}" maxlength="4" required autocomplete="off" autofocus></label>
<label class="field">Agent token<input name="agent_token" value="${agentToken}" autocomplete="off" spellcheck="false"></label>
<button class="action">Join</button></form></section>`,
  }
}

/** An empty field of a form counts as left out. */
function toJson(form: Buffer): Buffer {
  const fields = [...new URLSearchParams(form.toString('utf8'))].filter(([, value]) => value !== '')
  return Buffer.from(JSON.stringify(Object.fromEntries(fields)))
}

const joinMembers = {
  pin: v.pipe(filledText, v.regex(/^\d{4}$/, 'must be four digits')),
  agent_token: optional(filledText),
} as const

const NOT_STORED = { 'Cache-Control': 'no-store' }
const BODY_LIMIT_OCTETS = 16 * 1024
