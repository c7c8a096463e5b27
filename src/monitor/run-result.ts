/**
 * How a run ended. `inconclusive`: no answer of a point was conclusive, or a rule crashed. `crashed`: it broke off
 * because of a bug in this program.
 */
export type RunResult = (typeof runResults)[number]

export const runResults = ['pass', 'fail', 'inconclusive', 'crashed'] as const

/** From the exit code that `check` would have. */
export function toRunResult(code: 0 | 1 | 3): RunResult {
  return ({ 0: 'pass', 1: 'fail', 3: 'inconclusive' } as const)[code]
}
