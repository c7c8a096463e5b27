import { describe, expect, it } from 'vitest'
import {
  domainMatches,
  pathMatches,
  receives,
  toSessionPoints,
} from '../../../src/sandbox/widget/session-points.ts'
import { siteOf } from '../../../src/sandbox/widget/site-of.ts'

describe('the site of a host', () => {
  it.each([
    ['www.shop.localhost', 'shop.localhost'],
    ['cobrowse.shop.localhost', 'shop.localhost'],
    ['a.b.shop.localhost', 'shop.localhost'],
    ['shop.localhost', 'shop.localhost'],
    ['localhost', 'localhost'],
    ['notlocalhost', 'notlocalhost'],
    ['www.example.com', 'www.example.com'],
    ['shop.localhost.example.com', 'shop.localhost.example.com'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
  ])('%s is of %s', (host, site) => {
    expect(siteOf(host)).toBe(site)
  })
})

describe('the points of a session', () => {
  const ROOT = '/service_cookie_transfer/'

  it('are those of the page’s site, whatever their host, scheme and port', () => {
    const called = [
      `http://www.shop.localhost:8080${ROOT}`,
      `https://pay.shop.localhost${ROOT}`,
      `http://www.shop.localhost:9090/checkout${ROOT}`,
    ]
    const ignored = [`http://www.other.localhost:8080${ROOT}`, `http://localhost:8080${ROOT}`, 'no URL']
    const points = toSessionPoints('http://www.shop.localhost:8080/', [
      ...called.slice(0, 1),
      ...ignored,
      ...called.slice(1),
    ])
    expect(points.called.map(({ url }) => url)).toEqual(called)
    expect(points.ignored).toEqual(ignored)
  })

  it.each([
    ['www.shop.localhost', '/', 'receives'],
    ['www.shop.localhost', '/checkout', 'receives'],
    ['.shop.localhost', '/checkout/', 'receives'],
    ['www.shop.localhost', '/check', 'misses'],
    ['www.shop.localhost', '/account', 'misses'],
    ['shop.localhost', '/', 'misses'],
    ['.other.localhost', '/', 'misses'],
  ])('with the domain %s and the path %s: %s', (domain, path, outcome) => {
    const { called } = toSessionPoints('http://www.shop.localhost/', [
      `http://www.shop.localhost/checkout${ROOT}`,
    ])
    const scope = { name: 'a', domain, path, httponly: true }
    expect(called.map((point) => receives(point, scope))).toEqual([outcome === 'receives'])
  })
})

describe('a domain', () => {
  it.each([
    ['a.localhost', 'a.localhost', true],
    ['b.a.localhost', 'a.localhost', false],
    ['b.a.localhost', '.a.localhost', true],
    ['a.localhost', '.a.localhost', true],
    ['ba.localhost', '.a.localhost', false],
  ])('of host %s and scope %s matches: %s', (host, domain, matches) => {
    expect(domainMatches(host, domain)).toBe(matches)
  })
})

describe('a path', () => {
  it.each([
    ['/', '/', true],
    ['/a/b', '/', true],
    ['/a/b', '/a', true],
    ['/a/b', '/a/', true],
    ['/a', '/a/', false],
    ['/ab', '/a', false],
    ['/A/b', '/a', false],
  ])('%s matches the cookie path %s: %s', (requestPath, cookiePath, matches) => {
    expect(pathMatches(requestPath, cookiePath)).toBe(matches)
  })
})
