import * as v from 'valibot'
import type { JsonValue } from './document.ts'
import { isJsonObject } from './overlay.ts'
import type { Path } from './pointer.ts'
import type { Location, Problem } from './problem.ts'
import { configSchema, type WrittenConfig } from './schema.ts'
import { quote, toShown } from './shown.ts'
import { suggest } from './suggestion.ts'

/** Where the key or the value at a path was written. */
export type Locate = (path: Path, part: 'key' | 'value') => Location

/** Judges the value of a whole config against the schema and fills in its defaults; else every fault at once. */
export function validate(
  value: JsonValue,
  locate: Locate,
): { readonly written: WrittenConfig } | { readonly problems: readonly Problem[] } {
  const faults = [...findKeyFaults(configSchema, value, [])]
  const parsed = v.safeParse(configSchema, value, { abortPipeEarly: true })
  const issues = (parsed.issues ?? [])
    .flatMap((issue) => toLocalIssues(issue, []))
    .filter((each) => !faults.some((fault) => explains(fault, each)))
  const problems = [
    ...faults.map((fault) => toKeyProblem(fault, locate)),
    ...issues.map(({ issue, path }) => toValueProblem(issue, path, locate)),
  ]
  return parsed.success && problems.length === 0 ? { written: parsed.output } : { problems }
}

/** What valibot does not report: each unknown key, not only the first, and an array where an object belongs. */
type KeyFault =
  | { readonly kind: 'unknown'; readonly path: Path; readonly key: string; readonly legal: readonly string[] }
  | { readonly kind: 'array'; readonly path: Path }

/** As much of a valibot schema as its walk needs. */
interface Shape {
  readonly type: string
  readonly wrapped?: Shape
  readonly item?: Shape
  readonly entries?: Readonly<Record<string, Shape>>
  readonly options?: readonly unknown[]
}

function* findKeyFaults(shape: Shape, value: JsonValue | undefined, path: Path): Generator<KeyFault> {
  if (shape.wrapped !== undefined) yield* findKeyFaults(shape.wrapped, value, path)
  if (shape.type === 'union' && isJsonObject(value)) {
    const section = shape.options?.find((option) => isShape(option) && option.entries !== undefined)
    if (isShape(section)) yield* findKeyFaults(section, value, path)
  }
  if (shape.item !== undefined && Array.isArray(value)) {
    for (const [index, element] of value.entries())
      yield* findKeyFaults(shape.item, element, [...path, index])
  }
  if (shape.entries === undefined) return
  if (Array.isArray(value)) yield { kind: 'array', path }
  if (!isJsonObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    const entry = Object.hasOwn(shape.entries, key) ? shape.entries[key] : undefined
    if (entry !== undefined) yield* findKeyFaults(entry, member, [...path, key])
    else yield { kind: 'unknown', path: [...path, key], key, legal: Object.keys(shape.entries) }
  }
}

function isShape(option: unknown): option is Shape {
  return typeof option === 'object' && option !== null && 'type' in option
}

function toKeyProblem(fault: KeyFault, locate: Locate): Problem {
  if (fault.kind === 'array') {
    return {
      location: locate(fault.path, 'value'),
      message: 'wrong type',
      expected: 'an object',
      found: 'an array',
    }
  }
  const suggestion = suggest(fault.key, fault.legal)
  return {
    location: locate(fault.path, 'key'),
    message: `unknown key ${quote(fault.key)}`,
    ...(suggestion === undefined
      ? { expected: `one of ${fault.legal.map(quote).join(', ')}` }
      : { suggestion: quote(suggestion) }),
  }
}

interface LocalIssue {
  readonly issue: v.BaseIssue<unknown>
  readonly path: Path
}

/** A union hides the issues of its options; when one of them lies deeper, that one is what the user meant. */
function toLocalIssues(issue: v.BaseIssue<unknown>, above: Path): readonly LocalIssue[] {
  const path = [...above, ...(issue.path ?? []).map((item) => toStep(item.key))]
  const options = isJsonObject(issue.input) ? (issue.issues ?? []) : []
  const deeper = options.filter((each) => each.path !== undefined)
  if (deeper.length > 0) return deeper.flatMap((each) => toLocalIssues(each, path))
  return [{ issue, path }]
}

function toStep(key: unknown): string | number {
  return typeof key === 'number' ? key : String(key)
}

/** One cause, one problem: an issue that only repeats a key fault is left out, and so is the key that was misspelt. */
function explains(fault: KeyFault, { issue, path }: LocalIssue): boolean {
  if (fault.kind === 'array') return isWithin(path, fault.path)
  if (path.length !== fault.path.length || !isWithin(path, fault.path.slice(0, -1))) return false
  if (isUnknownKey(issue)) return true
  return isMissingKey(issue) && suggest(fault.key, fault.legal) === path.at(-1)
}

function isWithin(path: Path, above: Path): boolean {
  return above.every((step, index) => path[index] === step)
}

function isUnknownKey(issue: v.BaseIssue<unknown>): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never'
}

function isMissingKey(issue: v.BaseIssue<unknown>): boolean {
  return issue.type === 'strict_object' && issue.input === undefined
}

function toValueProblem(issue: v.BaseIssue<unknown>, path: Path, locate: Locate): Problem {
  const location = locate(path, 'value')
  if (isMissingKey(issue)) return { location, message: `missing key ${quote(String(path.at(-1)))}` }
  const found = toShown(issue.input, path)
  const judged = issue.type === 'raw_check'
  const expected = judged ? (issue.expected ?? '') : issue.message
  const suggestion = typeof issue.input === 'string' ? suggest(issue.input, wordsIn(expected)) : undefined
  return {
    location,
    message: judged ? issue.message : (faultByType[issue.type] ?? 'wrong type'),
    expected,
    found,
    ...(suggestion !== undefined && { suggestion: quote(suggestion) }),
  }
}

/** The whole words that an expectation quotes: `"loopback"`, not `"5s"`. */
function wordsIn(expected: string): readonly string[] {
  return [...expected.matchAll(/"([A-Za-z]+)"/g)].map(([, word = '']) => word)
}

const faultByType: Readonly<Record<string, string>> = {
  integer: 'not a whole number',
  min_value: 'too small',
  max_value: 'too large',
  regex: 'empty',
  picklist: 'unknown word',
}
