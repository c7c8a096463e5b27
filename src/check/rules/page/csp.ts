import type { Facts } from '../../facts.ts'
import type { ParsedUrl } from '../../parsed-url.ts'
import { findBlockingDirective } from '../../read/content-policy.ts'
import { toShownText } from '../../read/shown-text.ts'
import { fail, pass, type Rule, skip } from '../../rule.ts'
import { onVisitedPages } from '../subjects.ts'

export const csp: Rule = {
  id: 'page/csp',
  severity: 'warning',
  title: "The page's content security policy lets the widget call the points",
  why: "The widget calls the points with fetch, and the browser blocks calls that the page's policy doesn't allow. What counts is connect-src, or default-src where there is no connect-src.",
  wrong: "Content-Security-Policy: default-src 'none'; script-src https://cobrowse.example.net",
  right: "Content-Security-Policy: …; connect-src 'self' https://cobrowse.example.net",
  fix: 'Add the origin of the points to connect-src.',
  reference: {
    text: 'Content Security Policy Level 3, connect-src',
    url: 'https://www.w3.org/TR/CSP3/#directive-connect-src',
  },
  needs: { rules: ['page/unreachable'] },
  needsPageVisits: true,
  evaluate: onVisitedPages(({ parsed }, answer, facts) => {
    if (answer.kind !== 'response' || answer.status >= 400) return skip('the page gave no answer')
    const page = new URL(answer.url)
    const points = toPoints(parsed, facts)
    for (const policy of answer.policies) {
      const blocked = points.filter(({ url }) => findBlockingDirective(policy, page.href, url) !== undefined)
      const [first] = blocked
      if (first === undefined) continue
      const directive = findBlockingDirective(policy, page.href, first.url) ?? ''
      const origins = [...new Set(blocked.map(({ origin }) => origin))]
      const sources = origins.map((origin) => (origin === page.origin ? "'self'" : origin)).join(' ')
      return fail(
        `The page's content security policy blocks the widget's calls to ${origins.join(', ')}`,
        `Add ${sources} to connect-src in this page's policy, and keep what it lists already`,
        { expected: `connect-src ${sources}`, arrived: toShownText(directive) },
      )
    }
    return pass
  }),
}

/** The points that the widget uses on a page: those of its site. */
function toPoints({ site }: ParsedUrl, { points }: Facts) {
  return points.flatMap(({ point, parsed }) => (point !== undefined && parsed?.site === site ? [point] : []))
}
