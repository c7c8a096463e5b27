import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { reserve } from './internals/reserved-response.ts'

/** Takes a request over; with `next`, one that no point owns is left to it, within the call or never. */
export type Begin = (incoming: IncomingMessage, outgoing: ServerResponse, next?: () => void) => void

/** The proxy as a Hono app. It needs Node's own request and response, as @hono/node-server binds them. */
export type ProxyApp = Hono<{ Bindings: HttpBindings }>

/**
 * The proxy as a Hono app. Mounted in somebody's app (`site.route('/', app)`), it leaves what no point owns to the
 * routes behind it; served by itself, it refuses that.
 *
 * Routing is not Hono's: it decodes paths, and the octets that are matched must be those that are forwarded. The answer
 * is written to Node's response, because a `Response` would cost more than all else.
 */
export function toApp(begin: Begin): ProxyApp {
  return new Hono<{ Bindings: HttpBindings }>({ getPath: () => '/' })
    .all('*', (context, next) => {
      const { incoming, outgoing } = toMessages(context)
      return beginOrLeave(begin, incoming, outgoing) === 'left' ? next() : answeredByUs(outgoing)
    })
    .notFound((context) => {
      const { incoming, outgoing } = toMessages(context)
      begin(incoming, outgoing)
      return answeredByUs(outgoing)
    })
}

/** Node's request and response; the adapter may serve HTTP/2 too, which `begin` refuses. */
function toMessages({ env }: Context<{ Bindings: HttpBindings }>): {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
} {
  const { incoming, outgoing }: Partial<HttpBindings> = env ?? {}
  if (incoming === undefined || outgoing === undefined) {
    throw new Error('Serve this app with @hono/node-server: it needs its bindings.')
  }
  return { incoming: incoming as IncomingMessage, outgoing: outgoing as ServerResponse }
}

function answeredByUs(outgoing: ServerResponse): Response {
  reserve(outgoing)
  return RESPONSE_ALREADY_SENT
}

function beginOrLeave(begin: Begin, incoming: IncomingMessage, outgoing: ServerResponse): 'begun' | 'left' {
  let fate: 'begun' | 'left' = 'begun'
  begin(incoming, outgoing, () => {
    fate = 'left'
  })
  return fate
}
