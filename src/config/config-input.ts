import type * as v from 'valibot'
import { type ParsedConfig, parseConfig } from './parse.ts'
import type { configSchema } from './schema.ts'

/** The content of `config.json`, as an object. */
export type ConfigInput = v.InferInput<typeof configSchema>

/** The type of an imported JSON file, in which TypeScript widens literals to `string`. */
export type JsonConfigInput = Widened<ConfigInput>

type Widened<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Widened<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Widened<T[Key]> }
      : T

/**
 * Returns the config unchanged. It exists for its type: the compiler and the editor then check keys and values.
 *
 * @example
 * import { defineConfig } from 'continuation-point'
 *
 * export default defineConfig({
 *   service: { url: 'https://cobrowse.example.net' },
 *   widgetKey: 'env:WIDGET_KEY',
 *   points: ['https://www.example.com/service_cookie_transfer/'],
 * })
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}

/** Parses a config object of a program; problems have their locations in `config`. */
export function parseConfigInput(input: ConfigInput | JsonConfigInput): ParsedConfig {
  return parseConfig(JSON.stringify(input, keepNotFinite) ?? 'null', 'config')
}

/** JSON would turn `NaN` (`Number(process.env.UNSET)`) into null, which means no limit. */
function keepNotFinite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
