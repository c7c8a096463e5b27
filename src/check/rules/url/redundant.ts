import type { PointFact } from '../../facts.ts'
import { findRedundantPoints } from '../../redundancy.ts'
import { fail, onPoints, pass, type Rule, type Ruling, skip } from '../../rule.ts'

export const redundant: Rule = {
  id: 'url/redundant',
  severity: 'info',
  title: 'The point carries a cookie, or serves a page, that no other one does',
  why: 'Each point costs a request at the start of a session, and a place to keep in order: in the account, the front end and the config. One below a deeper cookie path receives the cookies of the shorter paths as well. The point on / of an origin is never too many: the instructions of the service verify there.',
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
  phase: 'judge',
  evaluate: (facts) => {
    const coveredBy = findRedundantPoints(facts)
    return onPoints((point) => judge(point, coveredBy))(facts)
  },
}

function judge(point: PointFact, coveredBy: ReadonlyMap<PointFact, PointFact>): Ruling {
  if (point.point === undefined) return skip('the URL is none of a point')
  const other = coveredBy.get(point)
  if (other === undefined) return pass
  return fail(
    `Another point receives every listed cookie that this one receives, and no page needs it: ${other.shown}`,
    'Remove this point, unless a cookie that is not listed needs it',
    { coveredBy: other.shown },
  )
}
