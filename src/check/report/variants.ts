import { canParseUrl } from '../../http/can-parse-url.ts'
import type { Cause } from '../causes.ts'
import type { Finding, Subject } from '../finding.ts'
import { LINE_MARK } from '../remedy.ts'

/** The part of a cause's findings that have the same message and fix; most causes have one variant. */
export interface Variant {
  readonly findings: readonly [Finding, ...Finding[]]
  readonly message: string
  readonly fix: string | undefined
}

/** The findings of a cause by message and fix, in their order. */
export function toVariants({ findings }: Cause): readonly [Variant, ...Variant[]] {
  const [first, ...others] = findings
  const variants: [Variant, ...Variant[]] = [toVariant(first)]
  for (const finding of others) {
    const index = variants.slice(0, MOST_COMPARED).findIndex((each) => isAlike(each.findings[0], finding))
    const known = variants[index]
    if (known === undefined) variants.push(toVariant(finding))
    else variants[index] = { ...known, findings: [...known.findings, finding] }
  }
  return variants
}

/** The fix of a variant. If each subject has its own, that of the first with a note that the others are alike. */
export function toFixText({ findings: [first, ...others], fix }: Variant): string | undefined {
  if (fix === undefined || others.every((each) => each.fix === fix)) return fix
  const { subject } = first
  const kind = 'point' in subject ? 'points' : 'page' in subject ? 'pages' : 'ones'
  const [what, ...lines] = fix.split(LINE_MARK)
  return [`${what}; likewise at the other ${kind}, each with its own URL`, ...lines].join(LINE_MARK)
}

function toVariant(finding: Finding): Variant {
  return { findings: [finding], message: finding.message, fix: finding.fix }
}

/** Whether two findings differ only by the URLs of their subjects, or parts of them. */
function isAlike(a: Finding, b: Finding): boolean {
  if (a.message === b.message && a.fix === b.fix) return true
  const parts = [...toParts(a.subject), ...toParts(b.subject)].sort((one, other) => other.length - one.length)
  const toWords = (text = '') => parts.reduce((rest, part) => rest.replaceAll(part, OWN), text)
  return toWords(a.message) === toWords(b.message) && toWords(a.fix) === toWords(b.fix)
}

function toParts(subject: Subject): readonly string[] {
  const url = 'point' in subject ? subject.point : 'page' in subject ? subject.page : ''
  if (!canParseUrl(url)) return []
  const { href, origin, host, hostname, pathname } = new URL(url)
  return [url, href, origin, host, hostname, pathname].filter(({ length }) => length > 1)
}

/** Occurs in none of our texts. */
const OWN = '\u0000'

/** Comparing with more variants would be slow. */
const MOST_COMPARED = 8
