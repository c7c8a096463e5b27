import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type * as NodeServer from '@hono/node-server'
import type * as HonoModule from 'hono'

const ownRequire = createRequire(import.meta.url)

/** The data that the admin listener serves. */
export interface AdminSource {
  isReady(): boolean
  metrics(): Promise<string>
}

/**
 * The admin app on node:http. What it needs is loaded right after the listener opens: before, it would delay the start, and
 * at the first probe there may be no file descriptor left, or another version of the package on disk.
 */
export function adminListener(source: AdminSource): RequestListener {
  let opened: RequestListener | undefined
  const open = () => {
    opened ??= openAdapter(source)
    return opened
  }
  setImmediate(open)
  return (incoming, outgoing) => open()(incoming, outgoing)
}

function openAdapter(source: AdminSource): RequestListener {
  const { getRequestListener } = ownRequire('@hono/node-server') as typeof NodeServer
  // A probe in HTTP/1.0 may come without Host.
  const listener = getRequestListener(toAdminApp(source).fetch, {
    overrideGlobalObjects: false,
    hostname: 'localhost',
  })
  return (incoming, outgoing) => void listener(incoming, outgoing)
}

/**
 * The admin app: `/livez` (the process runs), `/readyz` (it accepts requests and is not shutting down) and `/metrics`.
 * Neither probe depends on the service: it would take every instance out at once when the service fails.
 */
function toAdminApp(source: AdminSource): HonoModule.Hono {
  const { Hono } = ownRequire('hono') as typeof HonoModule
  return new Hono()
    .use(async ({ req }, next) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') return answer(405, 'method not allowed\n')
      return next()
    })
    .get('/livez', () => answer(200, 'ok\n'))
    .get('/readyz', () => (source.isReady() ? answer(200, 'ok\n') : answer(503, 'not ready\n')))
    .get('/metrics', async () =>
      answer(200, await source.metrics(), 'text/plain; version=0.0.4; charset=utf-8'),
    )
    .notFound(() => answer(404, 'look at /livez, /readyz or /metrics\n'))
    .onError((error) => {
      throw error
    })
}

function answer(status: number, text: string, type = 'text/plain; charset=utf-8'): Response {
  const headers = {
    'Content-Type': type,
    'Content-Length': `${Buffer.byteLength(text)}`,
    'Cache-Control': 'no-store',
  }
  return new Response(text, { status, headers })
}
