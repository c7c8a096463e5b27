import type { RequestListener } from 'node:http'
import { type Begin, toApp } from './app.ts'

/**
 * Serves the proxy's app on node:http. The app takes everything from its bindings, so all requests share one Request
 * object; a listener of @hono/node-server would make one each, which costs about 1 µs of CPU (bench/README.md). Our own
 * errors propagate to the process.
 */
export function toListener(begin: Begin): RequestListener {
  let served: ReturnType<typeof open> | undefined
  return (incoming, outgoing) => {
    served ??= open(begin)
    void served.app.fetch(served.request, { incoming, outgoing })
  }
}

/** Made for the first request: making a Request loads Node's `fetch`, which would take a seventh of the start. */
function open(begin: Begin) {
  const app = toApp(begin, new Response(null)).onError((error) => {
    throw error
  })
  return { app, request: new Request('http://localhost/') }
}
