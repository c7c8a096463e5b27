import type * as v from 'valibot'
import { type ParsedConfig, parseConfig } from './parse.ts'
import type { configSchema } from './schema.ts'

/** What `config.json` holds, as an object. */
export type ConfigInput = v.InferInput<typeof configSchema>

/** The same as the compiler sees it in an imported JSON file, where every word is a `string`. */
export type JsonConfigInput = Widened<ConfigInput>

type Widened<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Widened<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Widened<T[Key]> }
      : T

/** Gives the config back. It is there for its type: the compiler and the editor then know each key and word. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}

/** Reads a config that a program gives as an object; problems name their places in `config`. */
export function parseConfigInput(input: ConfigInput | JsonConfigInput): ParsedConfig {
  return parseConfig(JSON.stringify(input, keepNotFinite) ?? 'null', 'config')
}

/** JSON would make `NaN` (`Number(process.env.UNSET)`) null, and no limit of it. */
function keepNotFinite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
