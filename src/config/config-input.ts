import type * as v from 'valibot'
import { type ParsedConfig, parseConfig } from './parse.ts'
import type { configSchema } from './schema.ts'

/** What `config.json` holds, as an object. */
export type ConfigInput = v.InferInput<typeof configSchema>

/** Reads a config that a program gives as an object; problems name their places in `config`. */
export function parseConfigInput(input: ConfigInput): ParsedConfig {
  return parseConfig(JSON.stringify(input, keepNotFinite) ?? 'null', 'config')
}

/** JSON would make `NaN` (`Number(process.env.UNSET)`) null, and no limit of it. */
function keepNotFinite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
