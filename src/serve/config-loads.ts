import { renderFamily } from './exposition.ts'

/** The outcome of config loads since the program started. */
export interface ConfigLoads {
  /** Outcome of the last attempt. */
  readonly last: 'loaded' | 'refused'
  readonly loadedAtMs: number
  /** How many reloads were refused. */
  readonly refusals: number
}

export function afterRefusal(loads: ConfigLoads): ConfigLoads {
  return { ...loads, last: 'refused', refusals: loads.refusals + 1 }
}

/** Logs that a config takes long to load. */
export function warnIfSlow<Loaded>(
  loading: Promise<Loaded>,
  log: { warn(message: string): void },
): Promise<Loaded> {
  const message = 'config not loaded yet: it waits for a file, such as a pipe that nobody writes'
  const timer = setTimeout(() => log.warn(message), SLOW_MS).unref()
  return loading.finally(() => clearTimeout(timer))
}

/** Its lines in the Prometheus text format, with the names that Prometheus uses for its own config. */
export function* renderConfigLoads({ last, loadedAtMs, refusals }: ConfigLoads): Iterable<string> {
  yield* renderFamily(
    'continuation_point_config_last_reload_successful',
    'Whether the last attempt to load the config succeeded.',
    last === 'loaded' ? 1 : 0,
  )
  yield* renderFamily(
    'continuation_point_config_last_reload_success_timestamp_seconds',
    'When the config in force was loaded.',
    loadedAtMs / 1000,
  )
  yield* renderFamily(
    'continuation_point_config_reload_failures_total',
    'Reloads that were refused; the old config stayed in force.',
    refusals,
  )
}

const SLOW_MS = 5_000
