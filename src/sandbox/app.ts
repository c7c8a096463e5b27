import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { valuesOf } from '../http/fields.ts'
import { answerArrival, buildResponse, isRest } from './answer-arrival.ts'
import { answerMisdirected } from './continuation/continuation-end.ts'
import { controlApp } from './control/control.ts'
import { redactRequest } from './control/log-request.ts'
import { type ControlPeers, refuseControl } from './control/refuse-control.ts'
import { accountOf, type SandboxState } from './seed/sandbox-state.ts'
import { sessionApp } from './session/session-app.ts'
import { isOwnAuthority } from './virtual-host.ts'
import { observeArrival } from './wire/arrival.ts'
import { readBody, refuseBody } from './wire/body.ts'

export interface AppOptions {
  /** Path segment of the continuation end, with both slashes. */
  readonly prefix: string
  /** The allowed values of Host, from `ownAuthorities`. */
  readonly authorities: readonly string[]
  /** Who may use the controls below `/_sandbox/`. */
  readonly controls: ControlPeers
}

/**
 * Wires the stand-in: first the virtual host, then its controls, widget and windows, then the service. Hono routes by a
 * decoded path, so all decisions use Node's raw target and field lines instead.
 */
export function sandboxApp(state: SandboxState, options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const { authorities, controls, prefix } = options
  const app = new Hono<{ Bindings: HttpBindings }>()
  const control = controlApp(state)
  const sessions = sessionApp(state)
  app.use(async (c, next) => {
    const { incoming } = c.env
    if (isOwnAuthority(valuesOf(incoming.rawHeaders, 'host'), authorities)) return next()
    const arrival = observeArrival(incoming, Buffer.alloc(0))
    const account = accountOf(state, valuesOf(arrival.fields, 'x-widget-key'))
    const page = await answerMisdirected(arrival, prefix, account)
    return page ?? c.text(unknownVirtualHost(authorities), 421)
  })
  app.all('/_sandbox/*', (c) => {
    const { rawHeaders, socket } = c.env.incoming
    const refusal = refuseControl(rawHeaders, socket.remoteAddress, controls)
    return refusal === undefined ? control.fetch(c.req.raw, c.env) : buildResponse(refusal)
  })
  for (const path of ['/_widget/*', '/session/:id/windows/*', '/join']) {
    app.all(path, (c) => sessions.fetch(c.req.raw, c.env))
  }
  app.all('*', async (c) => {
    const { incoming } = c.env
    const isCall = isRest(incoming.url ?? '')
    const limitOctets = isCall ? REST_LIMIT_OCTETS : CONTINUATION_LIMIT_OCTETS
    const body = await readBody(incoming, limitOctets)
    if (body === 'too-large' && !isCall) {
      return c.json({ standIn: 1, error: 'body-too-large', limitOctets }, 413)
    }
    if (typeof body === 'string') return refuseBody(body, limitOctets)
    const arrival = observeArrival(incoming, body)
    const address = incoming.socket.remoteAddress ?? ''
    const answer = await answerArrival({ arrival, body, address }, state, prefix)
    state.requests.add(redactRequest(arrival, body, answer.status, state))
    return answer
  })
  app.onError((_error, c) => c.text('The stand-in service failed to answer.\n', 500))
  return app
}

function unknownVirtualHost(authorities: readonly string[]): string {
  return `Unknown virtual host.

This stand-in service answers only to the Host ${authorities.join(', ')}.
A continuation point has to send the host of the service, not that of the customer site.
`
}

const CONTINUATION_LIMIT_OCTETS = 10 * 1024 * 1024
const REST_LIMIT_OCTETS = 1024 * 1024
