import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { reserve } from './internals/reserved-response.ts'

/** Takes a request over; with `next`, one that no point owns is left to it. */
export type Begin = (incoming: IncomingMessage, outgoing: ServerResponse, next?: () => void) => void

/** The proxy as a Hono app. It needs @hono/node-server: exchanges go over Node's own request and response. */
export type ProxyApp = Hono<{ Bindings: HttpBindings }>

/**
 * Wires exchanges into Hono. Routing is not Hono's: it decodes paths, and the octets that are matched must be those
 * that are forwarded. The answer is written to Node's response, because a `Response` would cost more than all else.
 */
export function toApp(begin: Begin): ProxyApp {
  const app = new Hono<{ Bindings: HttpBindings }>({ getPath: () => '/' })
  app.all('/', (context) => {
    const { incoming, outgoing } = toMessages(context.env)
    begin(incoming, outgoing)
    reserve(outgoing)
    return RESPONSE_ALREADY_SENT
  })
  return app
}

/**
 * The proxy as a part of somebody's Hono app: `site.route('/', part)`. A request that no point owns goes on to what the
 * site mounts behind it; `begin` says so within the call or never.
 */
export function toPart(begin: Begin): ProxyApp {
  return new Hono<{ Bindings: HttpBindings }>().use(async (context, next) => {
    const { incoming, outgoing } = toMessages(context.env)
    if (beginOrLeave(begin, incoming, outgoing) === 'left') return next()
    reserve(outgoing)
    return RESPONSE_ALREADY_SENT
  })
}

/** Node's request and response, as the adapter binds them; it may serve HTTP/2 too, which `begin` refuses. */
function toMessages(bindings: Partial<HttpBindings> | undefined): {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
} {
  const { incoming, outgoing } = bindings ?? {}
  if (incoming === undefined || outgoing === undefined) {
    throw new Error('Serve this app with @hono/node-server: it needs its bindings.')
  }
  return { incoming: incoming as IncomingMessage, outgoing: outgoing as ServerResponse }
}

function beginOrLeave(begin: Begin, incoming: IncomingMessage, outgoing: ServerResponse): 'begun' | 'left' {
  let fate: 'begun' | 'left' = 'begun'
  begin(incoming, outgoing, () => {
    fate = 'left'
  })
  return fate
}
