import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { Hono as TinyHono } from 'hono/tiny'
import { reserve } from './internals/reserved-response.ts'

/** Handles a request. If `next` is given and no point owns the request, calls it instead, synchronously. */
export type Begin = (incoming: IncomingMessage, outgoing: ServerResponse, next?: () => void) => void

/** The proxy as a Hono app. It needs Node's request and response, which @hono/node-server puts into `env`. */
export type ProxyApp = Hono<{ Bindings: HttpBindings }>

/**
 * The proxy as a Hono app. Mounted in another app (`site.route('/', app)`), it leaves requests that no point owns to the
 * routes behind it; served by itself, it refuses them in `.notFound`, which Hono calls where there is no next route.
 *
 * Hono's routing is bypassed: it decodes paths, and the octets that are matched must be those that are forwarded. The
 * response is written to Node's `ServerResponse`, because building a `Response` would cost more than everything else.
 *
 * @param sent what handlers return for a response that the exchange writes, now or later
 *   (RESPONSE_ALREADY_SENT of @hono/node-server)
 */
export function createApp(begin: Begin, sent: Response): ProxyApp {
  // From here on only the exchange can write to the response.
  const toSent = (outgoing: ServerResponse) => {
    reserve(outgoing)
    return sent
  }
  return new TinyHono<{ Bindings: HttpBindings }>({ getPath: () => '/' })
    .all('*', (context, next) => {
      const { incoming, outgoing } = toMessages(context)
      let isLeft = false
      begin(incoming, outgoing, () => {
        isLeft = true
      })
      return isLeft ? next() : toSent(outgoing)
    })
    .notFound((context) => {
      const { incoming, outgoing } = toMessages(context)
      begin(incoming, outgoing)
      return toSent(outgoing)
    })
}

/** Node's request and response. The adapter may also serve HTTP/2, which `begin` refuses. */
function toMessages({ env }: Context<{ Bindings: HttpBindings }>) {
  const { incoming, outgoing }: Partial<HttpBindings> = env ?? {}
  if (incoming === undefined || outgoing === undefined)
    throw new Error('Serve this app with @hono/node-server: it needs its bindings.')
  return { incoming: incoming as IncomingMessage, outgoing: outgoing as ServerResponse }
}

/**
 * Serves the proxy's app on node:http. The app takes everything from its bindings, so all requests share one Request
 * object; a listener of @hono/node-server would make one each, which costs about 1 µs of CPU (bench/README.md). Our own errors propagate.
 */
export function toListener(begin: Begin): RequestListener {
  let opened: ReturnType<typeof openApp> | undefined
  const open = () => {
    opened ??= openApp(begin)
    return opened
  }
  setImmediate(open)
  return (incoming, outgoing) => {
    const { app, request } = open()
    void app.fetch(request, { incoming, outgoing })
  }
}

/** Called right after the listener opens: Node loads its `fetch` for a Request, which delays a start by a seventh. */
function openApp(begin: Begin) {
  const app = createApp(begin, new Response(null)).onError((error) => {
    throw error
  })
  return { app, request: new Request('http://localhost/') }
}
