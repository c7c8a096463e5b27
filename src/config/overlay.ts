import type { Location, Path } from './problem.ts'
import type { JsonObject, JsonValue } from './syntax-tree.ts'

export interface Override {
  readonly path: Path
  readonly value: JsonValue
  /** Names the variable or the argument. */
  readonly location: Location
}

/** Applies the overrides in order, and creates sections as needed. */
export function overlay(value: JsonValue, overrides: readonly Override[]): JsonValue {
  return overrides.reduce((current, override) => withValueAt(current, override.path, override.value), value)
}

/** The override that applies to a path: the last one at the path or above it. */
export function findOverride(path: Path, overrides: readonly Override[]): Override | undefined {
  return overrides.findLast((override) => override.path.every((step, index) => path[index] === step))
}

/** A value of the wrong type is kept, and `validate` reports it. */
function withValueAt(value: JsonValue, path: Path, replacement: JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return replacement
  const section = value ?? EMPTY_SECTION
  if (!isJsonObject(section)) return value
  const copy: Record<string, JsonValue> = Object.assign(Object.create(null), section)
  copy[step] = withValueAt(copy[step] ?? null, rest, replacement)
  return copy
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const EMPTY_SECTION: JsonObject = {}
