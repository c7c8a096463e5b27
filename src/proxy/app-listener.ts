import type { RequestListener } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Begin, ProxyApp } from './app.ts'

/**
 * Serves the proxy's app on node:http, through @hono/node-server's listener. That costs 1.5 µs of CPU a request; calling
 * the app with a lighter request of our own would cost 0.3 (bench/README.md), which is not worth a second adapter.
 *
 * The app calls `begin` itself. Only where the adapter rejects a Host or a target, with an empty 400, before it calls
 * the app, is `begin` called from here: it validates the received octets and sends our own answer. Our own errors propagate to the process.
 */
export function toListener(app: ProxyApp, begin: Begin): RequestListener {
  let refusal: 'none' | 'adapter' = 'none'
  const served = app.onError((error) => {
    throw error
  })
  const listener = getRequestListener(served.fetch, {
    overrideGlobalObjects: false,
    // lingering.ts reads the rest of an upload after its response: for longer, and with a time limit.
    autoCleanupIncoming: false,
    errorHandler: (error) => {
      if (!(error instanceof RequestError)) throw error
      refusal = 'adapter'
    },
  })
  return (incoming, outgoing) => {
    // Everything up to the app or the refusal is synchronous.
    void listener(incoming, outgoing)
    if (refusal === 'none') return
    refusal = 'none'
    begin(incoming, outgoing)
  }
}
