import type { Finding } from '../finding.ts'
import { summarize } from '../summary.ts'

/** The summary in words: "2 errors, 1 warning (1 ends with the fix of another); 20 passed, 5 skipped". */
export function toCountsText(findings: readonly Finding[]): string {
  const summary = summarize(findings)
  const follow = findings.filter(({ outcome, because }) => outcome === 'fail' && because !== undefined).length
  const note = follow === 0 ? '' : ` (${follow === 1 ? '1 ends' : `${follow} end`} with the fix of another)`
  const open = [
    toCount(summary.error, 'error', 'errors'),
    toCount(summary.warning, 'warning', 'warnings'),
    toCount(summary.info, 'note', 'notes'),
    toCount(summary.inconclusive, 'inconclusive', 'inconclusive'),
  ].filter((text) => text !== undefined)
  const quiet = [
    toCount(summary.pass, 'passed', 'passed'),
    toCount(summary.skipped, 'skipped', 'skipped'),
    toCount(summary.suppressed, 'suppressed', 'suppressed'),
  ].filter((text) => text !== undefined)
  return [open.length === 0 ? 'no findings' : `${open.join(', ')}${note}`, quiet.join(', ')]
    .filter(Boolean)
    .join('; ')
}

function toCount(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`
}
