import { escapeControls } from '../text/escape.ts'
import type { Location, Problem } from './problem.ts'

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
  const { location, message, expected, found, suggestion, excerpt = [] } = problem
  const question = suggestion === undefined ? '' : `, did you mean ${suggestion}?`
  return [
    `${renderPlace(location)}: ${message}${question}`,
    ...excerpt.map((line) => `  | ${line}`),
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
