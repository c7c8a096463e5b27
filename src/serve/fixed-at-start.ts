import type { AdminConfig } from '../config/config.ts'
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
