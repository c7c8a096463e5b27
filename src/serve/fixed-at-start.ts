import type { AdminConfig, Config } from '../config/config.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'

/**
 * What a running program can't change. A worker that starts later uses it too, whatever reloads have brought since, so
 * that all workers serve alike.
 */
export interface FixedAtStart {
  readonly workers: number
  readonly host: string
  readonly port: number
  readonly headerBytes: number
  readonly admin: AdminConfig | undefined
  /** The certificate that was loaded last; whether there is one is fixed. */
  readonly tls: ResolvedConfig['tls']
}

export function pickFixed({ config, tls }: ResolvedConfig, workers: number): FixedAtStart {
  const { listen, limits, admin } = config
  return { workers, host: listen.host, port: listen.port, headerBytes: limits.headerBytes, admin, tls }
}

/** The same after a reload. */
export function renewCertificate(fixed: FixedAtStart, { tls }: ResolvedConfig): FixedAtStart {
  return fixed.tls === undefined ? fixed : { ...fixed, tls: tls ?? fixed.tls }
}

export function keepFixed(
  resolved: ResolvedConfig,
  { host, port, headerBytes, admin, tls }: FixedAtStart,
): ResolvedConfig {
  const { config } = resolved
  return {
    ...resolved,
    tls,
    config: {
      ...config,
      admin,
      listen: { ...config.listen, host, port },
      limits: { ...config.limits, headerBytes },
    },
  }
}

/**
 * Which changes of a reloaded config need a restart, because they concern open sockets or running processes.
 *
 * @returns JSON Pointers of the sections and keys that differ
 */
export function findRestartPointers(started: Config, loaded: Config): readonly string[] {
  return Object.entries(NEED_RESTART).flatMap(([pointer, pick]) =>
    JSON.stringify(pick(started, started)) === JSON.stringify(pick(loaded, started)) ? [] : [pointer],
  )
}

const NEED_RESTART: Readonly<Record<string, (config: Config, started: Config) => unknown>> = {
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
