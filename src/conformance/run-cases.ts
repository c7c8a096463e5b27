import type { Case } from './cases/case.ts'
import type { Play, StageFacts } from './cases/play.ts'
import type { Stage } from './stage.ts'

/** The outcome of one case. */
export interface Outcome {
  readonly id: string
  readonly level: Case['level']
  readonly title: string
  readonly outcome: 'pass' | 'fail'
  /** Expectations that were not met, with what was observed instead; empty if it passed. */
  readonly faults: readonly Fault[]
}

export interface Fault {
  readonly expected: string
  readonly seen: string
}

/** Runs cases one after the other. `onCase` is called before each. */
export async function runCases(
  cases: readonly Case[],
  stage: Stage,
  onCase: (row: Case) => void = () => {},
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const row of cases) {
    onCase(row)
    outcomes.push(judgeCase(row, await stage.play(row)))
  }
  return outcomes
}

/** Compares the observations of a case with its expectations. */
export function judgeCase({ id, level, title, expect }: Case, play: Play): Outcome {
  const faults = expect.flatMap(({ expected, judge }) => {
    const seen = judge(play)
    return seen === undefined ? [] : [{ expected, seen }]
  })
  return { id, level, title, outcome: faults.length === 0 ? 'pass' : 'fail', faults }
}

/**
 * Checks whether requests to the point reach the witness, and on which path.
 *
 * @returns the facts with the observed root, or why the point can't be tested
 */
export async function reach(
  stage: Stage,
  pointPath: string,
): Promise<StageFacts | { readonly reason: string }> {
  const { arrivals, reply } = await stage.play(REACH)
  const [arrival] = arrivals
  if (arrival !== undefined) {
    return arrival.target.startsWith(pointPath) ? { ...stage.facts, root: pointPath } : stage.facts
  }
  if (reply.kind === 'answer')
    return { reason: `it answers ${reply.status}, and nothing arrives at the stand-in` }
  return { reason: REASONS[reply.code] ?? `the connection broke (${reply.code})` }
}

const REACH: Case = {
  id: 'reach',
  level: 'must',
  title: 'the root of the point leads to the service',
  send: { path: '' },
  expect: [],
}

const REASONS: Readonly<Record<string, string>> = {
  unconnected: 'it accepts no connection, or has no valid certificate',
  timeout: 'it does not answer in time',
}
