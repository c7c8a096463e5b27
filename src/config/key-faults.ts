import type { Path } from './problem.ts'
import { isJsonObject } from './read-json.ts'

/** What valibot does not report: each unknown key, not only the first, and an array where an object belongs. */
export type KeyFault =
  | { readonly kind: 'unknown'; readonly path: Path; readonly key: string; readonly legal: readonly string[] }
  | { readonly kind: 'array'; readonly path: Path }

/** The part of a valibot schema that `findKeyFaults` needs. */
interface SchemaNode {
  readonly type: string
  readonly wrapped?: SchemaNode
  readonly item?: SchemaNode
  readonly value?: SchemaNode
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly options?: readonly unknown[]
}

export function* findKeyFaults(node: SchemaNode, value: unknown, path: Path): Generator<KeyFault> {
  if (node.wrapped !== undefined) yield* findKeyFaults(node.wrapped, value, path)
  if (node.type === 'union' && isJsonObject(value)) {
    const section = node.options?.find((option) => isSchemaNode(option) && option.entries !== undefined)
    if (isSchemaNode(section)) yield* findKeyFaults(section, value, path)
  }
  if (node.item !== undefined && Array.isArray(value)) {
    for (const [index, element] of value.entries()) yield* findKeyFaults(node.item, element, [...path, index])
  }
  const { entries = {}, value: each } = node
  if (node.entries === undefined && node.type !== 'record') return
  if (Array.isArray(value)) yield { kind: 'array', path }
  if (!isJsonObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    const entry = Object.hasOwn(entries, key) ? entries[key] : each
    if (entry !== undefined) yield* findKeyFaults(entry, member, [...path, key])
    else yield { kind: 'unknown', path: [...path, key], key, legal: Object.keys(entries) }
  }
}

function isSchemaNode(option: unknown): option is SchemaNode {
  return typeof option === 'object' && option !== null && 'type' in option
}
