import type { PointFact } from '../../facts.ts'
import { findRedundantPoints } from '../../redundancy.ts'
import { fail, pass, type Rule, type Ruling, skip } from '../../rule.ts'
import { onPoints } from '../subjects.ts'

export const redundant: Rule = {
  id: 'url/redundant',
  severity: 'info',
  title: 'The point carries a cookie, or serves a page, that no other point does',
  why: "Every point costs a request when a session starts, and has to be kept up to date in the account, the front end and the config. A point under a deeper cookie path also receives the cookies of shorter paths. The point on / of an origin is never redundant: the service's own instructions verify there.",
  wrong:
    'https://www.example.com/shop/service_cookie_transfer/ beside https://www.example.com/shop/cart/service_cookie_transfer/, which receives the same cookies and more',
  right: 'https://www.example.com/shop/cart/service_cookie_transfer/ alone',
  fix: 'Remove the point, here and in the account.',
  reference: {
    text: 'RFC 6265bis, path-match',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.1.4',
  },
  needs: {
    facts: ['pages', 'cookies'],
    rules: ['url/invalid', 'url/prefix', 'url/duplicate', 'url/cross-site', 'url/mixed-content'],
  },
  evaluate: (facts) => {
    const coveredBy = findRedundantPoints(facts)
    return onPoints((point) => judge(point, coveredBy))(facts)
  },
}

function judge(point: PointFact, coveredBy: ReadonlyMap<PointFact, PointFact>): Ruling {
  if (point.point === undefined) return skip("the URL isn't a point's")
  const other = coveredBy.get(point)
  if (other === undefined) return pass
  return fail(
    `No page needs this point, and another point receives all of its listed cookies: ${other.shown}`,
    'Remove this point, unless a cookie that is not in the config needs it',
    { coveredBy: other.shown },
  )
}
