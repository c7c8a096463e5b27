import { type Config, toConfig } from './config.ts'
import { type ConfigDocument, parseDocument } from './document.ts'
import { findOverride, isJsonObject, type Override, overlay } from './overlay.ts'
import { byPosition, type Problem } from './problem.ts'
import { quoteLine } from './quote-line.ts'
import { Secret } from './secret.ts'
import { atOnce, type Steps } from './steps.ts'
import type { JsonValue } from './syntax-tree.ts'
import { validate } from './validate.ts'

/** A deeply frozen config, or all its problems in the order of the file. */
export type ParsedConfig = { readonly config: Config } | { readonly problems: readonly Problem[] }

/**
 * Parses a config: JSON with comments and trailing commas. Every key is optional; each command checks that it has what it
 * needs. URLs of points and pages and the parts of cookies are not validated here: `points` and `check` do that.
 *
 * @param text the file's text
 * @param file its path as the user gave it, for messages
 * @param overrides values of variables and flags that override the file's, by increasing priority
 */
export function parseConfig(text: string, file: string, overrides: readonly Override[] = []): ParsedConfig {
  return atOnce(parseInSteps(text, file, overrides))
}

export function* parseInSteps(
  text: string,
  file: string,
  overrides: readonly Override[],
): Steps<ParsedConfig> {
  const parsed = yield* parseDocument(text, file)
  if ('problems' in parsed) return { problems: withExcerpts(parsed.problems, text) }
  const { document } = parsed
  const locate: ConfigDocument['locate'] = (path, part) =>
    findOverride(path, overrides)?.location ?? document.locate(path, part)
  const value = overlay(document.value, overrides)
  const validated = yield* validate(value, locate)
  if ('problems' in validated || document.duplicates.length > 0) {
    const faults = 'problems' in validated ? validated.problems : []
    return { problems: withExcerpts([...document.duplicates, ...faults].sort(byPosition), text) }
  }
  const config = yield* toConfig(
    validated.written,
    (path) => locate(path, 'value'),
    isAdminPortDefault(value),
  )
  return { config: deepFreeze(config) }
}

function isAdminPortDefault(value: JsonValue): boolean {
  const admin = isJsonObject(value) ? value.admin : undefined
  return !isJsonObject(admin) || admin.port === undefined
}

function withExcerpts(problems: readonly Problem[], text: string): readonly Problem[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  return problems.map((problem, index) => {
    const { line, column = 1 } = problem.location
    return line === undefined || index >= MOST_EXCERPTS
      ? problem
      : { ...problem, excerpt: quoteLine(lines[line - 1] ?? '', column) }
  })
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Secret) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

// Nobody reads more of them, and a reload holds up nobody for them.
const MOST_EXCERPTS = 50
