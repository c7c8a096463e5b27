import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type * as NodeServer from '@hono/node-server'
import type * as HonoModule from 'hono'
import type { Logger } from 'pino'
import type { AdminConfig } from '../config/config.ts'
import { MOST_ADMIN_CONNECTIONS } from './client-limit.ts'
import { ListenError, type Listener, startAdminListener } from './listener.ts'

const ownRequire = createRequire(import.meta.url)

/** The data that the admin listener serves. */
export interface AdminSource {
  isReady(): boolean
  /** The lines of `/metrics`, one or several at a time. They are read while they are sent. */
  metrics(): Iterable<string>
}

/**
 * Opens the listener for health and metrics. If the default port is in use, it picks a free one, since a second instance
 * on a machine has the same default.
 *
 * @throws ListenError
 */
export async function startAdmin(
  { host, port, portIsDefault }: AdminConfig,
  source: AdminSource,
  log: Logger,
): Promise<Listener> {
  const listener = adminListener(source)
  const onTooMany = () =>
    log.warn(
      { connections: MOST_ADMIN_CONNECTIONS },
      'too many connections to the admin listener: the oldest are closed. Find out who opens them: a probe or a scrape needs one',
    )
  try {
    return await startAdminListener(host, port, listener, onTooMany)
  } catch (error) {
    if (!portIsDefault || !(error instanceof ListenError && error.code === 'EADDRINUSE')) throw error
    log.warn({ port }, 'the default admin port is in use: a free one was picked')
    return startAdminListener(host, 0, listener, onTooMany)
  }
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
  const listener = getRequestListener(openAdminApp(source).fetch, {
    overrideGlobalObjects: false,
    hostname: 'localhost',
  })
  return (incoming, outgoing) => void listener(incoming, outgoing)
}

/**
 * The admin app: `/livez` (the process runs), `/readyz` (it accepts requests and is not shutting down) and `/metrics`.
 * Neither probe depends on the service: it would take every instance out at once when the service fails.
 */
function openAdminApp(source: AdminSource): HonoModule.Hono {
  const { Hono } = ownRequire('hono') as typeof HonoModule
  return new Hono()
    .use(async ({ req }, next) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') return answer(405, 'method not allowed\n')
      return next()
    })
    .get('/livez', () => answer(200, 'ok\n'))
    .get('/readyz', () => (source.isReady() ? answer(200, 'ok\n') : answer(503, 'not ready\n')))
    .get('/metrics', () => {
      const body = ReadableStream.from(inPieces(source.metrics()))
      return answer(200, body, 'text/plain; version=0.0.4; charset=utf-8')
    })
    .notFound(() => answer(404, 'look at /livez, /readyz or /metrics\n'))
    .onError((error) => {
      throw error
    })
}

function answer(status: number, body: string | ReadableStream, type = 'text/plain; charset=utf-8'): Response {
  const length = typeof body === 'string' ? { 'Content-Length': `${Buffer.byteLength(body)}` } : {}
  const headers = { 'Content-Type': type, ...length, 'Cache-Control': 'no-store' }
  return new Response(body, { status, headers })
}

/**
 * A piece is made once the client has read the one before, in a turn of the event loop of its own: a large page takes
 * neither memory nor time from the traffic, and one that nobody reads is never made.
 */
async function* inPieces(lines: Iterable<string>): AsyncIterable<Uint8Array> {
  let piece = ''
  for (const line of lines) {
    piece += `${line}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    yield Buffer.from(piece)
    piece = ''
    await nextTurn()
  }
  yield Buffer.from(piece)
}

const PIECE_CHARACTERS = 32_768
