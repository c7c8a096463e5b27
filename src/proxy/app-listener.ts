import type { RequestListener } from 'node:http'
import { type Begin, createApp } from './app.ts'

/**
 * Serves the proxy's app on node:http. The app takes everything from its bindings, so all requests share one Request
 * object; a listener of @hono/node-server would make one each, which costs about 1 µs of CPU (bench/README.md). Our own
 * errors propagate to the process.
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

/** Called right after the listener opens: Node loads its `fetch` for a Request, which would delay that by a seventh. */
function openApp(begin: Begin) {
  const app = createApp(begin, new Response(null)).onError((error) => {
    throw error
  })
  return { app, request: new Request('http://localhost/') }
}
