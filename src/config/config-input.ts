import type * as v from 'valibot'
import type { configSchema } from './schema.ts'

/** What `config.json` holds, as an object. */
export type ConfigInput = v.InferInput<typeof configSchema>
