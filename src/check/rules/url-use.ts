import { isListedPublicSuffix } from '../../site/site.ts'
import { shorten } from '../../text/prose.ts'
import { toPointUrl } from '../carrying-url.ts'
import type { Facts, PointFact } from '../facts.ts'
import { findPagesOfSite, isCrossSite, isMixedContent, isSchemeMismatch } from '../parsed-url.ts'
import { findRedundantPoints } from '../redundancy.ts'
import { cite, fail, pass, type RulesById, skip } from '../rule.ts'
import { eachPoint, eachReadablePoint } from '../subjects.ts'
import { describeMove, proposeMovingPages } from '../url-fixes.ts'
import { failMiswritten } from './url-text.ts'

/** Rules on points together with the pages and cookies that use them. */
export const urlUseRules: RulesById = {
  'url/cross-site': {
    title: 'The point is on the same site as a page',
    why: 'The widget ignores a continuation URL unless it has the same registrable domain as the page where the session starts: the browser would not attach the cookies. Nothing reports this; the cookies are just missing.',
    wrong: 'page https://www.example.com/, point https://www.example.net/service_cookie_transfer/',
    right: 'page https://www.example.com/, point https://www.example.com/service_cookie_transfer/',
    fix: "Move the point to a host on the page's site, or list the page that uses it.",
    reference: cite('HTML Standard', 'same-site', 'same site'),
    needs: { facts: ['pages'], rules: ['url/invalid'] },
    evaluate: (facts) => {
      const corrected = findUrlsOnSite(facts)
      return eachReadablePoint((point, { pagesBySite }) => {
        if (!isCrossSite(point.parsed, pagesBySite)) return pass
        const url = corrected.get(point)
        const change = url === undefined ? 'Remove this point' : `Put it on the page's site, as in ${url}`
        const suffix = point.parsed.site.replace(/^[^.]+\./, '')
        const isSuffix = suffix.includes('.') && isListedPublicSuffix(suffix)
        const isShared = isSuffix && [...pagesBySite.keys()].some((site) => site.endsWith(`.${suffix}`))
        const because = isShared ? `: ${suffix} is a public suffix, with a site for each name below it` : ''
        return fail(
          `No page is on the site ${point.parsed.site}, so the widget ignores this point${because}`,
          {
            what: change,
            otherwise: 'add the page that uses it to "pages"',
            url,
            replacesPoint: url !== undefined,
          },
          { site: point.parsed.site, pageSites: shorten([...pagesBySite.keys()]) },
        )
      })(facts)
    },
  },
  'url/scheme-mismatch': {
    severity: 'warning',
    title: 'A page with the same scheme can use the point',
    why: 'Chrome and Edge treat the scheme as part of the site. To them, an https point is cross-site to an http page, and cookies with SameSite Lax or Strict (Lax is their default) are not sent. Safari and Firefox send them.',
    wrong: 'page http://www.example.com/, point https://www.example.com/service_cookie_transfer/',
    right: 'page https://www.example.com/, point https://www.example.com/service_cookie_transfer/',
    fix: 'Serve page and point over the same scheme, https.',
    reference: cite('RFC 6265bis', '5.2', 'same-site requests'),
    needs: { facts: ['pages'], rules: ['url/invalid', 'url/cross-site'] },
    evaluate: eachReadablePoint((point, facts) => {
      const { parsed } = point
      if (!isSchemeMismatch(parsed, facts.pagesBySite)) return pass
      if (parsed.scheme === 'http') {
        return failMiswritten(
          'Every page on this site is https: to Chrome and Edge the http point is cross-site, and they hold SameSite cookies back',
          point,
          facts,
        )
      }
      return fail(
        'Every page on this site is http: to Chrome and Edge the https point is cross-site, and they hold SameSite cookies back',
        proposeMovingPages(parsed, facts),
      )
    }),
  },
  'url/mixed-content': {
    title: 'No https page has to call the point over http',
    why: "A browser doesn't let an https page call an http URL. It blocks the request before sending it.",
    wrong: 'page https://www.example.com/, point http://www.example.com/service_cookie_transfer/',
    right: 'page https://www.example.com/, point https://www.example.com/service_cookie_transfer/',
    fix: 'Use https for the point.',
    reference: cite('Mixed Content', 'should-block-fetch', 'blocking'),
    needs: { facts: ['pages'], rules: ['url/invalid', 'url/cross-site'] },
    evaluate: eachReadablePoint((point, facts) => {
      const what = 'Every page on this site is https, and browsers block calls from https to http'
      return isMixedContent(point.parsed, facts.pagesBySite) ? failMiswritten(what, point, facts) : pass
    }),
  },
  'url/plain-http': {
    severity: 'warning',
    title: 'The point uses https, or is on this machine',
    why: 'Over http, anyone along the way can read the cookies that the point carries, httpOnly ones included. Cookies with the Secure attribute are not sent at all.',
    wrong: 'http://www.example.com/service_cookie_transfer/',
    right: 'https://www.example.com/service_cookie_transfer/',
    fix: 'Use https for the point.',
    reference: cite('RFC 6265bis', '4.1.2.5', 'the Secure attribute'),
    needs: { rules: ['url/invalid'] },
    evaluate: eachReadablePoint((point, facts) => {
      const { parsed } = point
      if (parsed.scheme === 'https' || parsed.loopback) return pass
      // Without pages on http: https is right all the same, and they have to move as well.
      const secure = findPagesOfSite(parsed, facts.pagesBySite).filter(({ scheme }) => scheme === 'https')
      const alone = { ...facts, pagesBySite: new Map([[parsed.site, secure]]) }
      const what = 'Cookies travel unencrypted, and Secure cookies are not sent at all'
      const ruling = failMiswritten(what, point, alone)
      const move = describeMove(parsed, facts)
      if (move === '') return ruling
      return { ...ruling, fix: { ...ruling.fix, what: `${ruling.fix.what}, and serve ${move}` } }
    }),
  },
  'url/redundant': {
    severity: 'info',
    title: 'A cookie or a page needs this point',
    why: "Every point costs a request when a session starts, and has to be kept up to date in the account, your web server and the config. A point under a deeper cookie path also receives the cookies of shorter paths. The point on / of an origin is never redundant: the service's own instructions verify there.",
    wrong:
      'https://www.example.com/shop/service_cookie_transfer/ beside https://www.example.com/shop/cart/service_cookie_transfer/, which receives the same cookies and more',
    right: 'https://www.example.com/shop/cart/service_cookie_transfer/ alone',
    fix: 'Remove the point, here and in the account.',
    reference: cite('RFC 6265bis', '5.1.4', 'path-match'),
    needs: {
      facts: ['pages', 'cookies'],
      rules: ['url/invalid', 'url/prefix', 'url/duplicate', 'url/cross-site', 'url/mixed-content'],
    },
    evaluate: (facts) => {
      const coveredBy = findRedundantPoints(facts)
      return eachPoint((point) => {
        if (point.point === undefined) return skip("the URL isn't a point's")
        const other = coveredBy.get(point)
        if (other === undefined) return pass
        return fail(
          `No page needs this point, and another point receives all of its listed cookies: ${other.shown}`,
          'Remove this point, unless a cookie that is not in the config needs it',
          { coveredBy: other.shown },
        )
      })(facts)
    },
  },
}

/** Where points of other sites could go, with their cookie paths: to origins of pages without a point, then to the first page's. */
function findUrlsOnSite({ points, pages, pagesBySite, prefix }: Facts): ReadonlyMap<PointFact, string> {
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
