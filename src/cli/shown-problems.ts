import type { Problem } from '../config/problem.ts'

/** Problems as the log has them. */
export function shown(problems: readonly Problem[]): readonly object[] {
  return problems.map(({ location, message }) => ({ ...location, message }))
}
