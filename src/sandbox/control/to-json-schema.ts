import { toJsonSchema as convert } from '@valibot/to-json-schema'
import type * as v from 'valibot'

/** A shape as a schema of OpenAPI 3.1, for what a client sends. Checks in code are not in it. */
export function toJsonSchema(shape: v.GenericSchema): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = convert(shape, { typeMode: 'input', errorMode: 'ignore' })
  return schema
}
