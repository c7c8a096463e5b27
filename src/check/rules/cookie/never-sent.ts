import type { CookieScope } from '../../../site/cookie-scope.ts'
import type { Facts } from '../../facts.ts'
import { fail, type Rule } from '../../rule.ts'
import { findMissingUrl } from '../../suggest-points.ts'
import { toAdding } from '../../url-fixes.ts'
import { onStorableCookies } from '../subjects.ts'

export const neverSent: Rule = {
  id: 'cookie/never-sent',
  severity: 'error',
  title: 'A point is on a host that receives the cookie',
  why: 'A browser sends a cookie only to its own host (host-only), or to its domain and the hosts below it. If no point is on such a host, the cookie never reaches the service.',
  wrong: 'cookie of host example.com (no dot), the only point on www.example.com',
  right: 'the same cookie and a point https://example.com/service_cookie_transfer/',
  fix: "Add a point on the cookie's host, or correct the domain: it needs a leading dot if the cookie was set with a Domain attribute.",
  reference: {
    text: 'RFC 6265bis, domain matching',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.1.3',
  },
  evaluate: (facts) => {
    const parents = toParentHosts(facts)
    return onStorableCookies('no-host', (scope) =>
      fail(
        scope.hostOnly
          ? `The cookie is host-only, and no usable point is on its host, ${scope.host}`
          : `No usable point is on ${scope.host} or a host below it`,
        toFix(scope, facts, parents),
      ),
    )(facts)
  },
}

function toFix(scope: CookieScope, facts: Facts, parents: ReadonlySet<string>): string {
  const url = findMissingUrl(scope, facts)
  if (url === undefined) {
    return `Remove the cookie from "cookies", or list a page on ${scope.host} in "pages": no point can carry it from these pages`
  }
  // A common mistake: leaving out the dot for a cookie that was set with a Domain attribute.
  const dot =
    scope.hostOnly && parents.has(scope.host)
      ? `, or write "domain": ".${scope.host}" if it was set with a Domain attribute`
      : ''
  return `${toAdding(url, facts)}${dot}`
}

/** All hosts above those of the points. */
function toParentHosts({ points }: Facts): ReadonlySet<string> {
  const parents = new Set<string>()
  for (const { parsed } of points) {
    const host = parsed?.host ?? ''
    for (let dotAt = host.indexOf('.'); dotAt !== -1; dotAt = host.indexOf('.', dotAt + 1)) {
      parents.add(host.slice(dotAt + 1))
    }
  }
  return parents
}
