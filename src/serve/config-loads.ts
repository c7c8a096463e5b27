import { renderFamily } from './exposition.ts'

/** The outcome of config loads since the program started. */
export interface ConfigLoads {
  /** Outcome of the last attempt. */
  readonly last: 'loaded' | 'refused'
  /** When the config in force was loaded. */
  readonly loadedAtMs: number
  /** How many reloads were refused. */
  readonly refusals: number
}

export function startedWith(atMs: number): ConfigLoads {
  return { last: 'loaded', loadedAtMs: atMs, refusals: 0 }
}

export function afterReload(loads: ConfigLoads, atMs: number): ConfigLoads {
  return { ...loads, last: 'loaded', loadedAtMs: atMs }
}

export function afterRefusal(loads: ConfigLoads): ConfigLoads {
  return { ...loads, last: 'refused', refusals: loads.refusals + 1 }
}

/** Renders it in the Prometheus text format, with the names that Prometheus uses for its own config. */
export function renderConfigLoads({ last, loadedAtMs, refusals }: ConfigLoads): string {
  const lines = [
    ...renderFamily(
      'continuation_point_config_last_reload_successful',
      'gauge',
      'Whether the last attempt to load the config succeeded.',
      [{ labels: {}, value: last === 'loaded' ? 1 : 0 }],
    ),
    ...renderFamily(
      'continuation_point_config_last_reload_success_timestamp_seconds',
      'gauge',
      'When the config in force was loaded.',
      [{ labels: {}, value: loadedAtMs / 1000 }],
    ),
    ...renderFamily(
      'continuation_point_config_reload_failures_total',
      'counter',
      'Reloads that were refused; the old config stayed in force.',
      [{ labels: {}, value: refusals }],
    ),
  ]
  return `${lines.join('\n')}\n`
}
