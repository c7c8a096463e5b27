import { toJsonSchema as convert } from '@valibot/to-json-schema'
import type * as v from 'valibot'

/** A shape as OpenAPI 3.1 words it: what a client sends. What only a check in code refuses, a schema can't say. */
export function toJsonSchema(shape: v.GenericSchema): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = convert(shape, { typeMode: 'input', errorMode: 'ignore' })
  return schema
}
