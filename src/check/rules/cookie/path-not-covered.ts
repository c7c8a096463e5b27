import { fail, type Rule } from '../../rule.ts'
import { findMissingUrl } from '../../suggest-points.ts'
import { toAdding } from '../../url-fixes.ts'
import { onStorableCookies } from '../subjects.ts'

export const pathNotCovered: Rule = {
  id: 'cookie/path-not-covered',
  severity: 'error',
  title: "A point is below the cookie's path",
  why: 'A browser attaches a cookie with a path only to requests below that path. The prefix of the service comes after it, so such a cookie needs a URL of its own: host, cookie path, prefix.',
  wrong: 'cookie path /shop, the only point https://www.example.com/service_cookie_transfer/',
  right: 'the same cookie and a point https://www.example.com/shop/service_cookie_transfer/',
  fix: 'Add the URL with the cookie path before the prefix.',
  reference: {
    text: 'RFC 6265bis, path-match',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.1.4',
  },
  evaluate: onStorableCookies('no-path', (scope, { carriage }, facts) => {
    const url = findMissingUrl(scope, facts)
    return fail(
      `A point is on the right host, but none is below the path ${scope.path}`,
      url === undefined
        ? 'Remove the cookie from "cookies", or give it a shorter path: no point can be below this one, which contains the prefix before its end'
        : toAdding(url, facts),
      { pointsOnHost: carriage.onHost.slice(0, 10).map((point) => point.shown) },
    )
  }),
}
