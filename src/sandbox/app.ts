import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { valuesOf } from '../http/fields.ts'
import type { Account } from './account.ts'
import { observeArrival } from './arrival.ts'
import { answerContinuation } from './continuation/continuation-end.ts'
import { isOwnAuthority } from './virtual-host.ts'

export interface SandboxState {
  account: Account
}

/**
 * Wires the stand-in: the virtual host first, then the continuation end. Hono routes on a decoded path, so everything
 * that decides looks at Node's raw target and field lines instead.
 *
 * @param authorities what Host may name, from `ownAuthorities`
 * @param prefix path segment of the continuation end, with both slashes
 */
export function sandboxApp(
  state: SandboxState,
  authorities: readonly string[],
  prefix: string,
): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.use(async (c, next) => {
    if (isOwnAuthority(valuesOf(c.env.incoming.rawHeaders, 'host'), authorities)) return next()
    return c.text(unknownVirtualHost(authorities), 421)
  })
  app.all('*', async (c) => {
    if (!c.env.incoming.url?.startsWith(prefix)) return c.text(nothingHere(prefix), 404)
    const arrival = await observeArrival(c.env.incoming, BODY_LIMIT_OCTETS)
    if (arrival === 'too-large') return tooLarge(c)
    if (arrival === 'aborted') return c.body(null, 400)
    return answerContinuation(arrival, prefix, state.account)
  })
  app.onError((_error, c) => c.text('The stand-in service failed to answer.\n', 500))
  return app
}

function tooLarge(c: Context): Response {
  return c.json({ standIn: 1, error: 'body-too-large', limitOctets: BODY_LIMIT_OCTETS }, 413)
}

function unknownVirtualHost(authorities: readonly string[]): string {
  return `Unknown virtual host.

This stand-in service answers only to the Host ${authorities.join(', ')}.
A continuation point has to send the host of the service, not that of the customer site.
`
}

function nothingHere(prefix: string): string {
  return `Nothing is here. This stand-in service has its continuation end at ${prefix}\n`
}

const BODY_LIMIT_OCTETS = 10 * 1024 * 1024
