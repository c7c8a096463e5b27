import { toPointUrl } from '../../carrying-url.ts'
import type { Facts, PointFact } from '../../facts.ts'
import { isCrossSite } from '../../parsed-url.ts'
import { pass, type Rule } from '../../rule.ts'
import { onReadablePoints } from '../subjects.ts'

export const crossSite: Rule = {
  id: 'url/cross-site',
  severity: 'error',
  title: 'The point is on the same site as a page',
  why: 'The widget ignores a continuation URL unless it has the same registrable domain as the page where the session starts: the browser would not attach the cookies. Nothing reports this; the cookies are just missing.',
  wrong: 'page https://www.example.com/, point https://www.example.net/service_cookie_transfer/',
  right: 'page https://www.example.com/, point https://www.example.com/service_cookie_transfer/',
  fix: "Move the point to a host on the page's site, or list the page that uses it.",
  reference: {
    text: 'HTML Standard, same site',
    url: 'https://html.spec.whatwg.org/multipage/browsers.html#same-site',
  },
  needs: { facts: ['pages'], rules: ['url/invalid'] },
  evaluate: (facts) => {
    const corrected = toUrlsOnSite(facts)
    return onReadablePoints((point, { pagesBySite }) => {
      if (!isCrossSite(point.parsed, pagesBySite)) return pass
      const url = corrected.get(point)
      const change = url === undefined ? 'Remove this point' : `Put it on the page's site, as in ${url}`
      return {
        outcome: 'fail',
        message: `No page is on the site ${point.parsed.site}, so the widget ignores this point`,
        fix: `${change}, or add the page that uses it to "pages"`,
        evidence: { site: point.parsed.site, pageSites: [...pagesBySite.keys()].slice(0, 10) },
        corrected: url,
      }
    })(facts)
  },
}

/**
 * Where points that are on no page's site could be moved, keeping their cookie paths: to the origins of pages without a
 * point, one each, then to that of the first page. No URL for a point that would become a duplicate.
 */
function toUrlsOnSite({ points, pages, pagesBySite, prefix }: Facts): ReadonlyMap<PointFact, string> {
  const [first, ...others] = pages.flatMap(({ parsed }) => (parsed === undefined ? [] : [parsed.origin]))
  const urls = new Map<PointFact, string>()
  if (first === undefined) return urls
  const taken = new Set(points.flatMap(({ parsed }) => parsed?.url ?? []))
  const served = new Set(points.flatMap(({ parsed }) => parsed?.origin ?? []))
  const waiting = [...new Set([first, ...others])].filter((origin) => !served.has(origin))
  for (const point of points) {
    if (point.parsed === undefined || !isCrossSite(point.parsed, pagesBySite)) continue
    const url = toPointUrl(waiting.shift() ?? first, point.point?.cookiePath ?? '/', prefix)
    if (url === undefined || taken.has(url)) continue
    taken.add(url)
    urls.set(point, url)
  }
  return urls
}
