import type { Cause } from '../causes.ts'
import type { CheckResult } from '../check.ts'
import { isUntold, toWeight } from './report.ts'

/** What to do now, as one sentence without full stop. It never promises more than was judged. */
export function toNextStep({ causes, notJudged }: Pick<CheckResult, 'causes' | 'notJudged'>): string {
  const failures = causes.filter((cause) => !isUntold(cause))
  const [worst] = failures.filter((cause) => !isNote(cause))
  const [untold] = causes.filter(isUntold)
  if (worst !== undefined) {
    const fixes = failures.length === 1 ? 'the fix' : 'the fixes from the top'
    return `apply ${fixes} and check again; continuation-point explain ${worst.findings[0].id} tells more`
  }
  if (untold !== undefined) return 'clear up what could not be judged, and check again'
  const [missing] = notJudged
  if (missing !== undefined) return `to check the rest, ${missing.next}`
  const [note] = failures
  if (note === undefined) return 'nothing to do'
  return `nothing needs fixing; continuation-point explain ${note.findings[0].id} tells more`
}

function isNote({ findings: [first] }: Cause): boolean {
  return toWeight(first) === 'info'
}
