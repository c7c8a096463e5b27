import { type Config, toConfig } from './config.ts'
import { type ConfigDocument, parseDocument } from './document.ts'
import { byPosition, type Location, type OrProblems, type Path } from './problem.ts'
import { isJsonObject, type JsonValue } from './read-json.ts'
import { Secret } from './secret.ts'
import { validate } from './validate.ts'

/** A value of a variable or a flag, which overrides the file's. */
export interface Override {
  readonly path: Path
  readonly value: JsonValue
  /** Names the variable or the argument. */
  readonly location: Location
}

/** A deeply frozen config, or all its problems in the order of the file. */
export type ParsedConfig = OrProblems<{ readonly config: Config }>

/**
 * Parses a config: JSON with comments and trailing commas. Every key is optional; each command checks that it has what it
 * needs. URLs of points and pages and the parts of cookies are not validated here: `points` and `check` do that.
 *
 * @param file the path as the user gave it, for messages
 * @param overrides by increasing priority
 */
export function parseConfig(text: string, file: string, overrides: readonly Override[] = []): ParsedConfig {
  const parsed = parseDocument(text, file)
  if ('problems' in parsed) return parsed
  const { document } = parsed
  const locate: ConfigDocument['locate'] = (path, part) =>
    overrides.findLast((each) => each.path.every((step, index) => path[index] === step))?.location ??
    document.locate(path, part)
  const value = overrides.reduce((whole, each) => withValueAt(whole, each.path, each.value), document.value)
  const written = validate(value, locate)
  if ('problems' in written || document.duplicates.length > 0) {
    const faults = 'problems' in written ? written.problems : []
    return { problems: [...document.duplicates, ...faults].sort(byPosition) }
  }
  const admin = isJsonObject(value) ? value.admin : undefined
  const adminPortIsDefault = !isJsonObject(admin) || admin.port === undefined
  const config = toConfig(written, (path) => locate(path, 'value'), adminPortIsDefault)
  return { config: deepFreeze(config) }
}

/** Creates sections as needed. A value of the wrong type is kept, and `validate` reports it. */
function withValueAt(value: JsonValue, path: Path, replacement: JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return replacement
  const section = value ?? {}
  if (!isJsonObject(section)) return value
  const copy: Record<string, JsonValue> = Object.assign(Object.create(null), section)
  copy[step] = withValueAt(copy[step] ?? null, rest, replacement)
  return copy
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Secret) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
