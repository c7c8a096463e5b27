import type { Logger } from 'pino'
import type { AdminConfig } from '../config/config.ts'
import { type AdminSource, adminListener } from '../serve/admin.ts'
import { ListenError, type Listener, startAdminListener } from '../serve/listener.ts'

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
  try {
    return await startAdminListener(host, port, listener)
  } catch (error) {
    if (!portIsDefault || !(error instanceof ListenError && error.code === 'EADDRINUSE')) throw error
    log.warn({ port }, 'the default admin port is in use: a free one was picked')
    return startAdminListener(host, 0, listener)
  }
}
