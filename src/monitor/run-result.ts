/**
 * What came of a run. `inconclusive`: no point gave an answer that tells anything, or a rule crashed. `crashed`: it did
 * not come to its end, by a fault of ours.
 */
export type RunResult = (typeof runResults)[number]

export const runResults = ['pass', 'fail', 'inconclusive', 'crashed'] as const

/** By the exit code that `check` would have. */
export function toRunResult(code: 0 | 1 | 3): RunResult {
  return ({ 0: 'pass', 1: 'fail', 3: 'inconclusive' } as const)[code]
}
