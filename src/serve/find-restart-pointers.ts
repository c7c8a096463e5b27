import type { Config } from '../config/config.ts'

/**
 * Which changes of a reloaded config need a restart, because they concern open sockets or running processes.
 *
 * @returns JSON Pointers of the sections and keys that differ
 */
export function findRestartPointers(started: Config, loaded: Config): readonly string[] {
  return Object.entries(fixedAtStart).flatMap(([pointer, pick]) =>
    JSON.stringify(pick(started, started)) === JSON.stringify(pick(loaded, started)) ? [] : [pointer],
  )
}

const fixedAtStart: Readonly<Record<string, (config: Config, started: Config) => unknown>> = {
  '/listen/host': ({ listen }) => listen.host,
  '/listen/port': ({ listen }) => listen.port,
  // A new certificate takes effect; only whether TLS is used is fixed.
  '/listen/tls': ({ listen }) => listen.tls !== undefined,
  // A new timeout takes effect for request heads, not for TLS handshakes.
  '/timeouts/idle': ({ timeouts }, started) => started.listen.tls && timeouts.idleMs,
  '/limits/headerBytes': ({ limits }) => limits.headerBytes,
  '/admin': ({ admin }) => admin && [admin.host, admin.port, admin.pointHistograms],
  '/workers': ({ workers }) => workers,
}
