import { expect, it } from 'vitest'
import type { Cause } from '../../../src/check/causes.ts'
import type { Finding, Outcome } from '../../../src/check/finding.ts'
import { countFindings } from '../../../src/check/report/conclusion.ts'

/** Each text is the findings of one cause: e for an error, ? for an inconclusive one. */
it.each([
  [['e', 'e'], '2 errors'],
  [['ee'], '2 errors from one cause'],
  [['ee', 'e'], '3 errors from 2 causes'],
  [['ee', '??'], '2 errors from one cause, 2 not judged'],
  [['e', '??'], '1 error, 2 not judged'],
  [['???', '?'], '4 not judged'],
  [[], 'no findings'],
])('counts the causes of what failed, each of which has a block: %j', (causes, text) => {
  const toFinding = (letter: string) => {
    const outcome: Outcome = letter === 'e' ? 'fail' : 'inconclusive'
    return { outcome, severity: 'error' } as Finding
  }
  const made = causes.map((letters) => ({ findings: [...letters].map(toFinding) }) as unknown as Cause)
  const findings = made.flatMap((cause) => [...cause.findings])
  expect(countFindings({ findings, causes: made })).toBe(text)
})
