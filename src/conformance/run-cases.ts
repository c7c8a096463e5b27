import type { Case } from './case.ts'
import type { Play, StageFacts } from './play.ts'
import type { Stage } from './stage.ts'

/** What came of one case. */
export interface Outcome {
  readonly id: string
  readonly level: Case['level']
  readonly title: string
  readonly outcome: 'pass' | 'fail'
  /** What was expected and not seen, with what was seen instead; empty when it passed. */
  readonly faults: readonly Fault[]
}

export interface Fault {
  readonly expected: string
  readonly seen: string
}

/** Plays cases one after the other. `onCase` is told before each. */
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

/** Compares what a case left behind with what must be seen. */
export function judgeCase({ id, level, title, expect }: Case, play: Play): Outcome {
  const faults = expect.flatMap(({ expected, judge }) => {
    const seen = judge(play)
    return seen === undefined ? [] : [{ expected, seen }]
  })
  return { id, level, title, outcome: faults.length === 0 ? 'pass' : 'fail', faults }
}

/**
 * Finds out whether requests to the point get to the witness at all, and where below it they arrive.
 *
 * @returns the facts with the root as it was seen, or why there is nothing to judge
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
