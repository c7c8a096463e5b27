import { html } from 'hono/html'
import { renderServicePage } from './service-page.ts'

export interface JoinForm {
  readonly pin: string
  readonly agentToken: string
  /** Why nobody joined; absent before the form was sent. */
  readonly refusal: string | undefined
}

/** Renders the page where an agent joins a session by its PIN. */
export function renderJoinPage(nonce: string, { pin, agentToken, refusal }: JoinForm): Promise<string> {
  return renderServicePage(
    nonce,
    'Join a session',
    html`<section class="verdict"><p class="kicker">The agent’s side</p><h1>Join a session</h1>
<p class="lead">The visitor reads four digits to you. With an agent’s token you join as that agent; without one you watch
as a visitor.</p></section>
<section class="panel"><form method="post" action="/join" class="join">
${refusal === undefined ? '' : html`<p class="refusal" role="alert">${refusal}</p>`}
<label class="field">PIN<input name="pin" value="${pin}" inputmode="numeric" pattern="[0-9]{4}" maxlength="4" required autocomplete="off" autofocus></label>
<label class="field">Agent token<input name="agent_token" value="${agentToken}" autocomplete="off" spellcheck="false"></label>
<button class="action">Join</button></form></section>`,
  )
}
