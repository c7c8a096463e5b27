import { escapeControls } from '../text/escape.ts'

/** Keys and indexes from the root of the config down to one value. */
export type Path = readonly (string | number)[]

/** The path as a JSON Pointer (RFC 6901, section 3): `~` and `/` within a key are escaped. */
export function formatPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The location of a value, for messages. Lines and columns count from 1. */
export interface Location {
  /** Path of the config file as the user gave it, or `environment`, or `command line`. */
  readonly file: string
  readonly line?: number
  readonly column?: number
  /** RFC 6901 JSON Pointer into the file, or the name of the variable or argument. */
  readonly pointer: string
}

/** Problems of the file come first, then those of the environment and the command line. */
export function byPosition({ location: a }: Problem, { location: b }: Problem): number {
  const toRank = (count = Number.MAX_SAFE_INTEGER) => count
  return toRank(a.line) - toRank(b.line) || toRank(a.column) - toRank(b.column)
}

/** A problem of the config: where, what was expected, what was found (never a secret). */
export interface Problem {
  readonly location: Location
  readonly message: string
  readonly expected?: string
  readonly found?: string
  /** The nearest valid word, if a key or a choice looks misspelt. */
  readonly suggestion?: string
}

/** What was made of a config, or everything that is wrong with it. */
export type OrProblems<Made> = Made | { readonly problems: readonly Problem[] }

/** One block for each problem, as of a compiler, the location first. Control and format characters are escaped. */
export function renderProblems(problems: readonly Problem[]): string {
  return problems.map((problem) => `${renderBlock(problem).map(escapeControls).join('\n')}\n`).join('')
}

/**
 * A config that can't be used. `message` lists all problems with their locations; it contains no secret.
 *
 * @example
 * import { ConfigError, openPoints } from 'continuation-point'
 *
 * const points = await openPoints('config.json', { env: process.env }).catch((error) => {
 *   if (error instanceof ConfigError) console.error(error.message)
 *   throw error
 * })
 */
export class ConfigError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(`The config can't be used:\n${renderProblems(problems)}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

function renderBlock(problem: Problem): readonly string[] {
  const { location, message, expected, found, suggestion } = problem
  const question = suggestion === undefined ? '' : `, did you mean ${suggestion}?`
  return [
    `${renderPlace(location)}: ${message}${question}`,
    ...(expected === undefined ? [] : [`  expected ${expected}`]),
    ...(found === undefined ? [] : [`  found    ${found}`]),
  ]
}

function renderPlace({ file, line, column, pointer }: Location): string {
  const position = line === undefined ? '' : `:${line}:${column ?? 1}`
  const shown = pointer.length > LONGEST_POINTER ? `${pointer.slice(0, LONGEST_POINTER)}…` : pointer
  return `${file}${position}${shown === '' ? '' : ` ${shown}`}`
}

const LONGEST_POINTER = 200
