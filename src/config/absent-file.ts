import type { Location, Problem } from './problem.ts'

/** The default config file. */
export const defaultFile = 'config.json'

/**
 * The problems of a command that ran without a config file: first that there is none, then each problem without a line and
 * column, which would be those of a file that does not exist.
 *
 * @param problems what the command found wrong with the config
 */
export function tellAbsentFile(problems: readonly Problem[]): readonly Problem[] {
  const isMissing = ({ location }: Problem) => location.file === defaultFile
  if (!problems.some(isMissing)) return problems
  const absent: Problem = {
    location: { file: defaultFile, pointer: '' },
    message: 'there is no config: this file does not exist',
    expected: 'a file that "continuation-point init" writes, or another one named with --config',
  }
  return [
    absent,
    ...problems.map((problem) =>
      isMissing(problem) ? { ...problem, location: withoutPosition(problem.location) } : problem,
    ),
  ]
}

function withoutPosition({ file, pointer }: Location): Location {
  return { file, pointer }
}
