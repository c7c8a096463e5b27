import type { SuppressConfig } from '../config/config.ts'
import { parseUrl } from '../http/url.ts'
import { indexBy } from './by-key.ts'
import { describeSubject, type Finding } from './finding.ts'

/** `match` is compared with the URL of point or page, as shown and as browsers write it, or the name of the cookie or setting. */
export function suppress(
  findings: readonly Finding[],
  suppressions: readonly SuppressConfig[],
): readonly Finding[] {
  const byRule = indexBy(suppressions.map(compile), ({ rule }) => [rule])
  return findings.map((finding) => {
    const texts = listTexts(finding)
    const fitting = byRule.get(finding.id)?.find(({ fits }) => texts.some(fits))
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
  const textsByRule = indexBy(
    findings.flatMap((finding) => listTexts(finding).map((text) => ({ ...finding, text }))),
    ({ id }) => [id],
  )
  return suppressions.map((suppression) => {
    const { rule } = suppression
    const { fits } = compile(suppression)
    const isUsed = textsByRule.get(rule)?.some(({ text }) => fits(text))
    const known = !ids.known.has(rule) ? 'unknown-rule' : !ids.ran.has(rule) ? 'not-run' : undefined
    return { ...suppression, state: known ?? (isUsed ? 'used' : 'unused') } as const
  })
}

function compile(suppression: SuppressConfig) {
  const { match } = suppression
  const patterns = match === undefined ? ['*'] : listSpellings(match)
  return { ...suppression, fits: (text: string) => patterns.some((each) => matchesWildcard(text, each)) }
}

/** What suppressions of its rule are compared with; nothing unless it failed. */
function listTexts({ outcome, subject }: Finding): readonly string[] {
  if (outcome !== 'fail') return []
  const url = 'point' in subject ? subject.point : 'page' in subject ? subject.page : undefined
  if (url !== undefined) return listSpellings(url)
  return ['cookie' in subject ? subject.cookie.name : describeSubject(subject)]
}

/** As written, and for a URL as browsers write it. */
function listSpellings(text: string): readonly string[] {
  return [...new Set([text, parseUrl(text)?.href ?? text])]
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
