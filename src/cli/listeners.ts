import type { Logger } from 'pino'
import type { AdminConfig } from '../config/config.ts'
import { type AdminSource, adminListener } from '../serve/admin.ts'
import { MOST_ADMIN_CONNECTIONS } from '../serve/client-limit.ts'
import { ListenError, type Listener, startAdminListener } from '../serve/listener.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'

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

/** A listener that could not be opened. */
export interface ListenPlace {
  readonly listener: 'public' | 'admin'
  readonly host: string
  readonly port: number
  /** The flag that sets the port. */
  readonly flag: string
}

/** Prints why a listener could not be opened and what to do. */
export function refuseToListen(error: ListenError, place: ListenPlace, io: Io): ExitCode {
  const { listener, host, port, flag } = place
  const what = `the ${listener} listener can't open ${host} port ${port}`
  io.stderr(`continuation-point: ${toListenFault(what, error.code, flag)}\n`)
  return PASSING.has(error.code) ? exitCode.inconclusive : exitCode.usage
}

/**
 * Why a port could not be opened, and what to do.
 *
 * @param place what can't open which port, as a clause
 * @param flag sets the port
 */
export function toListenFault(place: string, code: string, flag: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${place}: the port is in use. Stop the other program, or choose a port with ${flag} (0 picks a free one)`
    case 'EACCES':
      return `${place}: not permitted. Choose a port above 1023 with ${flag}, or grant the permission`
    case 'EADDRNOTAVAIL':
      return `${place}: this machine has no such address at the moment. Wait until it is up, or use 127.0.0.1, 0.0.0.0 or ::`
    case 'ENOTFOUND':
      return `${place}: there is no such address. Use 127.0.0.1, 0.0.0.0 or ::`
    default:
      return `${place} (${code})`
  }
}

/** Conditions that may be temporary, without a change of the config: an interface may get its address after we start. */
const PASSING: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'])
