import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import type { AdminConfig } from '../config/config.ts'
import { MOST_ADMIN_CONNECTIONS } from './capacity.ts'
import { ListenError, type Listener, startAdminListener } from './listener.ts'

/** The data that the admin listener serves. */
export interface AdminSource {
  isReady(): boolean
  /** The page of `/metrics`. */
  metrics(): string
}

/**
 * Opens the listener for health and metrics. If the default port is in use, it picks a free one, since a second instance has the same.
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
 * Answers `/livez` (the process runs), `/readyz` (it accepts requests and is not shutting down) and `/metrics`. Neither
 * probe depends on the service: it would take every instance out at once when the service fails.
 */
export function adminListener(source: AdminSource): RequestListener {
  return ({ method, url = '' }, outgoing) => {
    const isReading = method === 'GET' || method === 'HEAD'
    const [status, body, type] = isReading ? read(source, url.replace(/\?.*$/, '')) : NOT_ALLOWED
    outgoing.writeHead(status, {
      'Content-Type': `text/plain; ${type ?? ''}charset=utf-8`,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
    })
    outgoing.end(method === 'HEAD' ? undefined : body)
  }
}

type Page = readonly [status: number, body: string, version?: string]

function read(source: AdminSource, path: string): Page {
  switch (path) {
    case '/livez':
      return [200, 'ok\n']
    case '/readyz':
      return source.isReady() ? [200, 'ok\n'] : [503, 'not ready\n']
    case '/metrics':
      return [200, source.metrics(), 'version=0.0.4; ']
    default:
      return [404, 'look at /livez, /readyz or /metrics\n']
  }
}

const NOT_ALLOWED: Page = [405, 'method not allowed\n']
