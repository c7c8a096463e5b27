import type { RequestListener } from 'node:http'
import type { Hono } from 'hono'

/** The data that the admin listener serves. */
export interface AdminSource {
  isReady(): boolean
  metrics(): Promise<string>
}

/**
 * The admin app: `/livez` (the process runs), `/readyz` (it accepts requests and is not shutting down) and `/metrics`.
 * Neither probe depends on the service: otherwise its failure would take out every instance at once.
 */
export async function adminApp(source: AdminSource): Promise<Hono> {
  const { Hono } = await import('hono')
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

/** The admin app on node:http. The adapter is loaded by the first probe, not at the start. */
export function adminListener(source: AdminSource): RequestListener {
  let listening: Promise<RequestListener> | undefined
  return async (incoming, outgoing) => {
    listening ??= openAdapter(source)
    const listener = await listening
    listener(incoming, outgoing)
  }
}

async function openAdapter(source: AdminSource): Promise<RequestListener> {
  const { getRequestListener } = await import('@hono/node-server')
  const { fetch } = await adminApp(source)
  // A probe in HTTP/1.0 may come without Host.
  const listener = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    hostname: 'localhost',
  })
  return (incoming, outgoing) => void listener(incoming, outgoing)
}

function answer(status: number, text: string, type = 'text/plain; charset=utf-8'): Response {
  const headers = {
    'Content-Type': type,
    'Content-Length': `${Buffer.byteLength(text)}`,
    'Cache-Control': 'no-store',
  }
  return new Response(text, { status, headers })
}
