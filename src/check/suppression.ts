import type { SuppressConfig } from '../config/config.ts'
import { parseUrl } from '../http/url.ts'
import { describeSubject, type Finding } from './finding.ts'

/** `match` is compared with the URL of point or page, as shown and as browsers write it, or the name of the cookie or setting. */
export function suppress(
  findings: readonly Finding[],
  suppressions: readonly SuppressConfig[],
): readonly Finding[] {
  return findings.map((finding) => {
    const fitting = suppressions.find((suppression) => fits(suppression, finding))
    return fitting === undefined ? finding : { ...finding, suppressed: { reason: fitting.reason } }
  })
}

export type SuppressionFact = ReturnType<typeof judgeSuppressions>[number]

/** Whether each suppression matches any failed finding. `not-run`: of a rule that did not run. */
export function judgeSuppressions(
  suppressions: readonly SuppressConfig[],
  findings: readonly Finding[],
  ids: { readonly known: ReadonlySet<string>; readonly ran: ReadonlySet<string> },
) {
  return suppressions.map((suppression) => {
    const isUsed = findings.some((finding) => fits(suppression, finding))
    const { rule } = suppression
    const known = !ids.known.has(rule) ? 'unknown-rule' : !ids.ran.has(rule) ? 'not-run' : undefined
    return { ...suppression, state: known ?? (isUsed ? 'used' : 'unused') } as const
  })
}

function fits({ rule, match }: SuppressConfig, { id, outcome, subject }: Finding): boolean {
  if (rule !== id || outcome !== 'fail') return false
  if (match === undefined) return true
  const url = 'point' in subject ? subject.point : 'page' in subject ? subject.page : undefined
  if (url !== undefined) {
    return listSpellings(url).some((text) => listSpellings(match).some((each) => matchesWildcard(text, each)))
  }
  return matchesWildcard('cookie' in subject ? subject.cookie.name : describeSubject(subject), match)
}

function listSpellings(url: string): readonly string[] {
  return [url, parseUrl(url)?.href ?? url]
}

/** Matches the whole text; `*` stands for any characters. Takes linear time, since patterns may be hostile. */
export function matchesWildcard(text: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return text === pattern
  if (text.length < head.length + tail.length) return false
  if (!text.startsWith(head) || !text.endsWith(tail)) return false
  const end = text.length - tail.length
  let from = head.length
  for (const piece of rest) {
    const found = text.indexOf(piece, from)
    if (found === -1 || found + piece.length > end) return false
    from = found + piece.length
  }
  return true
}
