import fc from 'fast-check'
import { CookieJar, domainMatch, pathMatch } from 'tough-cookie'
import { describe, expect, it } from 'vitest'
import { toCanonicalHost } from '../../src/http/host.ts'
import {
  domainMatches,
  hostReceives,
  judgeScope,
  pathMatches,
  toCookiePaths,
} from '../../src/site/cookie-scope.ts'

it.each([
  ['example.com', 'example.com', true],
  ['www.example.com', 'example.com', true],
  ['a.b.example.com', 'example.com', true],
  ['example.com', 'www.example.com', false],
  ['badexample.com', 'example.com', false],
  ['example.org', 'example.com', false],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '0.0.1', false],
  ['[::1]', '[::1]', true],
])('domain-match (RFC 6265bis 5.1.3) %s receives a cookie of %s: %s', (host, domain, expected) => {
  expect(domainMatches(host, domain)).toBe(expected)
})

it.each([
  ['/', '/', true],
  ['/foo', '/', true],
  ['/foo', '/foo', true],
  ['/foo/', '/foo', true],
  ['/foo/bar', '/foo', true],
  ['/foo/bar', '/foo/', true],
  ['/foobar', '/foo', false],
  ['/foo', '/foo/', false],
  ['/Foo/', '/foo', false],
  ['/f%6fo/', '/foo', false],
  ['/a%2fb/', '/a', false],
  ['/', '/foo', false],
])(
  'path-match (RFC 6265bis 5.1.4) a request for %s carries a cookie of %s: %s',
  (requestPath, cookiePath, expected) => {
    expect(pathMatches(requestPath, cookiePath)).toBe(expected)
    expect(toCookiePaths(requestPath).includes(cookiePath)).toBe(expected)
  },
)

// The oracle is not used here where it differs:
// - names: it knows `__Host-` and `__Secure-` only in this spelling, browsers in any, so prefixes are not compared;
// - special-use hosts (`.test`, `.local`, a bare label): its jar refuses them, so the matcher is used, not the jar;
// - a Domain that is a public suffix: it refuses the cookie, a browser makes it host-only on the suffix itself; our
//   scope with a leading dot is refused like there, and the one without is the browser's host-only cookie;
// - escapes: its jar decodes the path of a request, browsers compare bytes, so the jar is given none;
// - it canonicalises what it is given, so it is given canonical hosts.
describe('against tough-cookie', () => {
  const label = fc.constantFrom('a', 'b', 'www', 'example', 'com', 'xn--bcher-kva', '1')
  const host = fc.oneof(
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
    fc.ipV4(),
    fc.domain(),
  )
  const segment = fc.constantFrom('', 'a', 'A', 'ab', '%61', 'service_cookie_transfer')
  const path = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`)

  it('agrees on domains', () => {
    fc.assert(
      fc.property(host, host, fc.boolean(), (left, right, isBelow) => {
        const domain = toCanonicalHost(right)
        const request = toCanonicalHost(isBelow ? `${left}.${right}` : left)
        fc.pre(domain !== undefined && request !== undefined)
        expect(domainMatches(request, domain)).toBe(domainMatch(request, domain, false))
      }),
      { numRuns: 500 },
    )
  })

  it('agrees on paths', () => {
    fc.assert(
      fc.property(path, path, fc.boolean(), (left, right, isBelow) => {
        const request = isBelow ? `${right}${left}` : left
        expect(pathMatches(request, right)).toBe(pathMatch(request, right))
        expect(toCookiePaths(request).includes(right)).toBe(pathMatch(request, right))
      }),
      { numRuns: 500 },
    )
  })

  const site = fc.constantFrom(
    'example.com',
    'www.example.com',
    'a.www.example.com',
    'shop.github.io',
    'github.io',
  )
  const plainPath = path.filter((text) => !text.includes('%'))
  it('agrees with what a cookie jar sends', () => {
    fc.assert(
      fc.property(
        site,
        site,
        fc.boolean(),
        plainPath,
        plainPath,
        (setter, asked, hostOnly, cookiePath, requestPath) => {
          const jar = new CookieJar()
          const domain = hostOnly ? '' : `; Domain=${setter}`
          jar.setCookieSync(`n=v${domain}; Path=${cookiePath}`, `https://${setter}/`, { ignoreError: true })
          const sent = jar.getCookiesSync(`https://${asked}${requestPath}`).length === 1
          const { scope } = judgeScope({
            name: 'n',
            domain: hostOnly ? setter : `.${setter}`,
            path: cookiePath,
            httponly: false,
            secure: undefined,
          })
          const ours =
            scope !== undefined && hostReceives(asked, scope) && pathMatches(requestPath, scope.path)
          expect(ours).toBe(sent)
        },
      ),
      { numRuns: 500 },
    )
  })
})
