import type { Problem } from './problem.ts'
import { renderProblems } from './render-problems.ts'

/** A config that can't be served. `message` lists every problem with its place; no secret is in it. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(`The config can't be served:\n${renderProblems(problems)}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}
