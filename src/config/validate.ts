import * as v from 'valibot'
import { redactUrl } from '../http/url.ts'
import type { ConfigDocument } from './document.ts'
import { findKeyFaults, type KeyFault } from './key-faults.ts'
import { formatPointer, type OrProblems, type Path, type Problem } from './problem.ts'
import { isJsonObject, type JsonValue } from './read-json.ts'
import { configSchema, type WrittenConfig } from './schema.ts'
import { suggest } from './suggestion.ts'

type Locate = ConfigDocument['locate']

/** Validates a config against the schema and fills in the defaults, or returns all problems at once. */
export function validate(value: JsonValue, locate: Locate): OrProblems<WrittenConfig> {
  const problems: Problem[] = []
  const faultsAt = new Map<string, KeyFault[]>()
  const arrays = new Set<string>()
  for (const fault of findKeyFaults(configSchema, value, [])) {
    const place = formatPointer(fault.kind === 'array' ? fault.path : fault.path.slice(0, -1))
    if (fault.kind === 'array') arrays.add(place)
    faultsAt.set(place, faultsAt.get(place) ?? [])
    faultsAt.get(place)?.push(fault)
    problems.push(explainKeyFault(fault, locate))
  }
  const parsed = v.safeParse(configSchema, value, { abortPipeEarly: true })
  for (const each of (parsed.issues ?? []).flatMap((issue) => findLocalIssues(issue, []))) {
    const isInArray = [...each.path, ''].some((_, end) => arrays.has(formatPointer(each.path.slice(0, end))))
    const beside = faultsAt.get(formatPointer(each.path.slice(0, -1))) ?? []
    if (!isInArray && !beside.some((fault) => explains(fault, each)))
      problems.push(explainIssue(each.issue, each.path, locate))
  }
  return parsed.success && problems.length === 0 ? parsed.output : { problems }
}

function explainKeyFault(fault: KeyFault, locate: Locate): Problem {
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

/** A union hides the issues of its options; if one of them is deeper, that option is what the user meant. */
function findLocalIssues(issue: v.BaseIssue<unknown>, above: Path): readonly LocalIssue[] {
  const path = [
    ...above,
    ...(issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key))),
  ]
  const options = isJsonObject(issue.input) ? (issue.issues ?? []) : []
  const deeper = options.filter((each) => each.path !== undefined)
  if (deeper.length > 0) return deeper.flatMap((each) => findLocalIssues(each, path))
  return [{ issue, path }]
}

/** Avoids duplicate problems: omits an issue that repeats a key fault at or above it, and the missing key if it was misspelt. */
function explains(fault: KeyFault, { issue, path }: LocalIssue): boolean {
  if (fault.kind === 'array') return true
  if (path.length !== fault.path.length) return false
  if (issue.type === 'strict_object' && issue.expected === 'never') return true
  return isMissingKey(issue) && suggest(fault.key, fault.legal) === path.at(-1)
}

function isMissingKey(issue: v.BaseIssue<unknown>): boolean {
  return issue.type === 'strict_object' && issue.input === undefined
}

function explainIssue(issue: v.BaseIssue<unknown>, path: Path, locate: Locate): Problem {
  const location = locate(path, 'value')
  if (isMissingKey(issue)) return { location, message: `missing key ${quote(String(path.at(-1)))}` }
  const found = redactValue(issue.input, path)
  const judged = issue.type === 'raw_check'
  const expected = judged ? (issue.expected ?? '') : issue.message
  const suggestion = typeof issue.input === 'string' ? suggest(issue.input, wordsIn(expected)) : undefined
  return {
    location,
    message: judged ? issue.message : (FAULT_BY_TYPE.get(issue.type) ?? 'wrong type'),
    expected,
    found,
    ...(suggestion !== undefined && { suggestion: quote(suggestion) }),
  }
}

/** The whole words that an expectation quotes: `"loopback"`, not `"5s"`. */
function wordsIn(expected: string): readonly string[] {
  return [...expected.matchAll(/"([A-Za-z]+)"/g)].map(([, word = '']) => word)
}

/** How a message shows a value: a scalar as written, without the secrets of a URL; of all else and of a secret the type. */
function redactValue(value: unknown, path: Path): string {
  if (path.some((step) => SECRET_KEYS.has(step))) return typeName(value)
  if (typeof value === 'string') return quote(redactUrl(value))
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  return typeName(value)
}

function quote(text: string): string {
  return JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)
}

function typeName(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const MOST_SHOWN = 60

const SECRET_KEYS: ReadonlySet<string | number> = new Set(['widgetKey', 'apiKey', 'ca', 'cert', 'key'])

const FAULT_BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['integer', 'not a whole number'],
  ['min_value', 'too small'],
  ['max_value', 'too large'],
  ['regex', 'empty'],
  ['picklist', 'unknown word'],
])
