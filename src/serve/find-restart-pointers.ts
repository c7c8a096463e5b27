import type { Config } from '../config/config.ts'

/**
 * What of a newly loaded config a running program can't take up: its sockets and its processes are already there.
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
  // Another certificate is taken up; only whether TLS is spoken is fixed.
  '/listen/tls': ({ listen }) => listen.tls !== undefined,
  // Request heads take up another time, TLS handshakes don't.
  '/timeouts/idle': ({ timeouts }, started) => started.listen.tls && timeouts.idleMs,
  '/limits/headerBytes': ({ limits }) => limits.headerBytes,
  '/admin': ({ admin }) => admin && [admin.host, admin.port],
  '/workers': ({ workers }) => workers,
}
