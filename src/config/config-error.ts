import type { Problem } from './problem.ts'
import { renderProblems } from './render-problems.ts'

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
    super(`The config can't be served:\n${renderProblems(problems)}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}
