import type { RequestListener } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Begin, ProxyApp } from './app.ts'

/**
 * Serves the proxy's app on node:http, through @hono/node-server's listener. That costs 1.5 µs of CPU a request; to call
 * the app with a lighter request of our own would cost 0.3 (bench/README.md), which is not worth a second adapter.
 *
 * The adapter refuses some Hosts and targets before the app is asked, with an empty 400. Those go straight to `begin`,
 * which judges the octets that came and answers in our own words. An error of our own goes on to the process.
 */
export function toListener(app: ProxyApp, begin: Begin): RequestListener {
  let refusal: 'none' | 'adapter' = 'none'
  const served = app.onError((error) => {
    throw error
  })
  const listener = getRequestListener(served.fetch, {
    overrideGlobalObjects: false,
    // What a client still uploads after its answer is read on by lingering.ts, for longer and with a limit in time.
    autoCleanupIncoming: false,
    errorHandler: (error) => {
      if (!(error instanceof RequestError)) throw error
      refusal = 'adapter'
    },
  })
  return (incoming, outgoing) => {
    // All up to the app, or to the refusal, happens within the call.
    void listener(incoming, outgoing)
    if (refusal === 'none') return
    refusal = 'none'
    begin(incoming, outgoing)
  }
}
