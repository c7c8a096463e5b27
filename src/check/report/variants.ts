import { parseUrl } from '../../http/url.ts'
import { type Cause, isOfAccount } from '../causes.ts'
import type { Finding, Subject } from '../finding.ts'
import { printWholeFix } from '../fix.ts'

/** The part of a cause's findings that have the same message and fix; most causes have one variant. */
export type Variant = ReturnType<typeof makeVariant>

/** The findings of a cause by message and fix, in their order; all about the account are one, with one fix. */
export function groupVariants({ findings: [first, ...others] }: Cause): readonly [Variant, ...Variant[]] {
  if (others.length > 0 && first.fix !== undefined && isOfAccount(first)) {
    const fix = { ...first.fix, what: 'Write the config to the account', otherwise: 'correct the config' }
    return [{ findings: [first, ...others], message: 'The account differs from the config', fix }]
  }
  const groups: [Group, ...Group[]] = [[first]]
  for (const finding of others) {
    const known = groups.slice(0, MOST_COMPARED).find(([each]) => isAlike(each, finding))
    if (known === undefined) groups.push([finding])
    else known.push(finding)
  }
  const [group, ...rest] = groups
  return [makeVariant(group), ...rest.map(makeVariant)]
}

type Group = [Finding, ...Finding[]]

/** One variant: its fix is that of the first finding; if each subject has its own, a note says that the others are alike. */
function makeVariant(findings: Group) {
  const [{ message, fix, subject }, ...others] = findings
  if (fix === undefined || others.every((each) => printWholeFix(each.fix) === printWholeFix(fix)))
    return { findings, message, fix }
  const kind = 'point' in subject ? 'points' : 'page' in subject ? 'pages' : 'ones'
  const note = `; likewise at the other ${kind}, each with its own URL`
  const last = fix.otherwise === undefined ? 'what' : 'otherwise'
  return { findings, message, fix: { ...fix, [last]: `${fix[last]}${note}` } }
}

/** Whether two findings differ only by the URLs of their subjects, or parts of them. */
function isAlike(a: Finding, b: Finding): boolean {
  const [fixA, fixB] = [printWholeFix(a.fix), printWholeFix(b.fix)]
  if (a.message === b.message && fixA === fixB) return true
  const parts = [...splitSubject(a.subject), ...splitSubject(b.subject)].sort(
    (one, other) => other.length - one.length,
  )
  const toWords = (text: string) => parts.reduce((rest, part) => rest.replaceAll(part, OWN), text)
  return toWords(a.message) === toWords(b.message) && toWords(fixA) === toWords(fixB)
}

function splitSubject(subject: Subject): readonly string[] {
  const url = 'point' in subject ? subject.point : 'page' in subject ? subject.page : ''
  if (parseUrl(url) === undefined) return []
  const { href, origin, host, hostname, pathname } = new URL(url)
  return [url, href, origin, host, hostname, pathname].filter(({ length }) => length > 1)
}

/** Occurs in none of our texts. */
const OWN = '\u0000'

/** Comparing with more variants would be slow. */
const MOST_COMPARED = 8
