import type { Summary } from '../summary.ts'

/** The summary in words: "2 errors, 1 warning; 20 passed, 5 skipped". */
export function toCountsText(summary: Summary): string {
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
  return [open.length === 0 ? 'no findings' : open.join(', '), quiet.join(', ')].filter(Boolean).join('; ')
}

function toCount(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`
}
