import type { Facts } from '../../facts.ts'
import { type ParsedUrl, toParsedUrl } from '../../parsed-url.ts'
import { fail, pass, type Rule } from '../../rule.ts'
import { toAdding } from '../../url-fixes.ts'
import { onReadablePages } from '../subjects.ts'

export const noPoint: Rule = {
  id: 'page/no-point',
  severity: 'error',
  title: 'A point is on the origin of the page',
  why: 'Each place where the widget is used needs a continuation point: each host, and http separately from https. Without a point on its own origin, a page carries none of its httpOnly cookies.',
  wrong: 'page https://shop.example.com/, the only point https://www.example.com/service_cookie_transfer/',
  right: 'page https://shop.example.com/, a point https://shop.example.com/service_cookie_transfer/',
  fix: "Add a point on the page's own scheme, host and port.",
  reference: {
    text: 'HTML Standard, origin',
    url: 'https://html.spec.whatwg.org/multipage/browsers.html#origin',
  },
  needs: { rules: ['page/invalid'] },
  evaluate: (facts) => {
    const origins = toPointOrigins(facts)
    return onReadablePages(({ parsed }) =>
      origins.has(parsed.origin)
        ? pass
        : fail(
            `There is no point on ${parsed.origin}, the origin of this page`,
            toFix(parsed, facts, origins),
          ),
    )(facts)
  },
}

// Moving the page to https comes first, since a point on http would be a finding of its own.
function toFix(page: ParsedUrl, facts: Facts, origins: ReadonlySet<string>): string {
  const url = `${page.origin}${facts.prefix}`
  if (page.scheme === 'https' || page.loopback) return toAdding(url, facts)
  const secure = toParsedUrl(page.url.replace(/^http:/, 'https:'))
  const add = origins.has(secure.origin) ? '' : `, and add ${secure.origin}${facts.prefix} to "points"`
  const plain = `as long as it is on http, its point is ${url}`
  return `Serve the page over https: write ${secure.url} in place of ${page.url} in "pages"${add}; ${plain}`
}

function toPointOrigins({ points }: Facts): ReadonlySet<string> {
  return new Set(points.flatMap(({ point }) => point?.origin ?? []))
}
