import { type CookieScope, toReceivedDomains } from '../../site/cookie-scope.ts'
import { shorten } from '../../text/prose.ts'
import { oncePer } from '../by-key.ts'
import type { Carriage, CookieFact, Facts, PointFact } from '../facts.ts'
import type { Fix } from '../fix.ts'
import { isSchemeMismatch } from '../parsed-url.ts'
import { cite, fail, pass, type Rule, type RulesById, type Ruling, skip } from '../rule.ts'
import { eachCookie } from '../subjects.ts'
import { findMissingUrl } from '../suggest-points.ts'
import { proposeAdding, proposeMovingPages } from '../url-fixes.ts'

/** Rules on the first obstacle that keeps a cookie from the points: one for each kind of `Carriage`. */
export const cookieCarriageRules: RulesById = {
  'cookie/never-sent': {
    title: 'A point is on a host that receives the cookie',
    why: 'A browser sends a cookie only to its own host (host-only), or to its domain and the hosts below it. If no point is on such a host, the cookie never reaches the service.',
    wrong: 'cookie of host example.com (no dot), the only point on www.example.com',
    right: 'the same cookie and a point https://example.com/service_cookie_transfer/',
    fix: "Add a point on the cookie's host, or correct the domain: it needs a leading dot if the cookie was set with a Domain attribute.",
    reference: cite('RFC 6265bis', '5.1.3', 'domain matching'),
    evaluate: (facts) => {
      // All hosts above those of the points.
      const hosts = facts.points.flatMap(({ parsed }) => parsed?.host ?? [])
      const above = hosts.flatMap((host) => toReceivedDomains(host).slice(2))
      const parents = new Set(above.map((domain) => domain.slice(1)))
      return eachStorableCookie('no-host', (scope) =>
        fail(
          scope.hostOnly
            ? `The cookie is host-only, and no usable point is on its host, ${scope.host}`
            : `No usable point is on ${scope.host} or a host below it`,
          proposeHost(scope, facts, parents),
        ),
      )(facts)
    },
  },
  'cookie/path-not-covered': {
    title: "A point is below the cookie's path",
    why: 'A browser attaches a cookie with a path only to requests below that path. The prefix of the service comes after it, so such a cookie needs a URL of its own: host, cookie path, prefix.',
    wrong: 'cookie path /shop, the only point https://www.example.com/service_cookie_transfer/',
    right: 'the same cookie and a point https://www.example.com/shop/service_cookie_transfer/',
    fix: 'Add the URL with the cookie path before the prefix.',
    reference: cite('RFC 6265bis', '5.1.4', 'path-match'),
    evaluate: eachStorableCookie('no-path', (scope, { carriage }, facts) =>
      fail(
        `A point is on the right host, but none is below the path ${scope.path}`,
        proposeAddition(
          scope,
          facts,
          'Remove the cookie from "cookies", or give it a shorter path: no point can be below this one, which contains the prefix before its end',
        ),
        { pointsOnHost: listShown(carriage.onHost) },
      ),
    ),
  },
  'cookie/insecure-only': {
    title: 'A Secure cookie has an https point',
    why: 'A cookie that is Secure, by its attribute or by its name, is sent only over https (and to this machine). Points on http never receive it.',
    wrong: 'cookie __Host-sid, the only point http://www.example.com/service_cookie_transfer/',
    right: 'cookie __Host-sid, a point https://www.example.com/service_cookie_transfer/',
    fix: 'Add the https URL.',
    reference: cite('RFC 6265bis', '5.8.3', 'retrieval'),
    evaluate: eachStorableCookie('insecure', (scope, _cookie, facts) =>
      fail(
        'The cookie is Secure, and only http points could receive it',
        proposeAddition(scope, facts, 'Remove the cookie from "cookies"'),
      ),
    ),
  },
  'cookie/depends': {
    severity: 'info',
    title: 'The config shows whether the cookie is sent',
    why: "The service's scopes don't include Secure and SameSite. If only plain http points are left, it depends on Secure; if a point is called only from pages with the other scheme, it depends on SameSite, the browser and its settings.",
    wrong: '{ "name": "sid", … } and only http points',
    right: '{ "name": "sid", …, "secure": false } as a hint for the checker, or an https point',
    fix: 'Write "secure" in the entry of the cookie, or use https for page and point.',
    reference: cite('RFC 6265bis', '5.8.3', 'retrieval'),
    evaluate: eachStorableCookie('depends', (_scope, cookie, facts) => judgeDependence(cookie, facts)),
  },
}

/** Once for all cookies of a host, since both may be many. */
const listShown = oncePer((points: Carriage['onHost']) => shorten(points.map(({ shown }) => shown)))

/** Judges every cookie that a browser stores and that meets this obstacle; passes the others. */
function eachStorableCookie(
  obstacle: Carriage['kind'],
  judge: (scope: CookieScope, cookie: CookieFact, facts: Facts) => Ruling,
): Rule['evaluate'] {
  return eachCookie((cookie, facts) => {
    const { scope } = cookie.judged
    if (scope === undefined) return skip('no browser stores this cookie')
    return cookie.carriage.kind === obstacle ? judge(scope, cookie, facts) : pass
  })
}

function proposeHost(scope: CookieScope, facts: Facts, parents: ReadonlySet<string>): Fix {
  const url = findMissingUrl(scope, facts)
  if (url === undefined) {
    return {
      what: 'Remove the cookie from "cookies"',
      otherwise: `list a page on ${scope.host} in "pages": no point can carry it from these pages`,
    }
  }
  const adding = proposeAdding(url, facts)
  // A common mistake: leaving out the dot for a cookie that was set with a Domain attribute.
  return scope.hostOnly && parents.has(scope.host)
    ? { ...adding, otherwise: `write "domain": ".${scope.host}" if it was set with a Domain attribute` }
    : adding
}

/** Adds the point for the cookie; `otherwise` if there can't be one. */
function proposeAddition(scope: CookieScope, facts: Facts, otherwise: string): Fix {
  const url = findMissingUrl(scope, facts)
  if (url === undefined) return { what: otherwise }
  const adding = proposeAdding(url, facts)
  const [, bare] = /^(.*?)\/?\*$/.exec(scope.path) ?? []
  if (bare === undefined) return adding
  const what = `Write "path": "${bare === '' ? '/' : bare}" if the star was meant as a wildcard (cookie paths have none)`
  return { what, otherwise: `${adding.what.charAt(0).toLowerCase()}${adding.what.slice(1)}`, url }
}

function judgeDependence({ carriage }: CookieFact, facts: Facts): Ruling {
  const isMismatched = ({ parsed }: PointFact) =>
    parsed !== undefined && isSchemeMismatch(parsed, facts.pagesBySite)
  const mismatched = carriage.maybe.find(isMismatched)?.parsed
  if (mismatched === undefined) {
    return fail(
      "Only http points receive it, and only if it isn't Secure, which the config doesn't say",
      'Write "secure": false if the server sets it without Secure, else use an https point',
    )
  }
  if (mismatched.scheme === 'http') {
    return fail(
      'Its http points are called only from https pages: it depends on SameSite and the browser',
      `Write ${mismatched.url.replace(/^http:/, 'https:')} in place of ${mismatched.url} in "points"`,
    )
  }
  return fail(
    'Its https points are called only from http pages: it depends on SameSite and the browser',
    proposeMovingPages(mismatched, facts),
  )
}
