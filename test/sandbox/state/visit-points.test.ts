import { describe, expect, it } from 'vitest'
import { domainMatches, pathMatches, receives, separatePoints } from '../../../src/sandbox/state/visit.ts'

describe('the points of a session', () => {
  const ROOT = '/service_cookie_transfer/'

  it('are those of the page’s site, whatever their host, scheme and port', () => {
    const called = [
      `http://www.shop.localhost:8080${ROOT}`,
      `https://pay.shop.localhost${ROOT}`,
      `http://www.shop.localhost:9090/checkout${ROOT}`,
    ]
    const ignored = [`http://www.other.localhost:8080${ROOT}`, `http://localhost:8080${ROOT}`, 'no URL']
    const points = separatePoints('http://www.shop.localhost:8080/', [
      ...called.slice(0, 1),
      ...ignored,
      ...called.slice(1),
    ])
    expect(points.called.map(({ url }) => url)).toEqual(called)
    expect(points.ignored).toEqual(ignored)
  })

  it.each([
    ['www.example.com', 'pay.example.com', 'called'],
    ['www.example.co.uk', 'example.co.uk', 'called'],
    ['www.example.co.uk', 'www.other.co.uk', 'ignored'],
    ['a.github.io', 'b.github.io', 'ignored'],
    ['www.a.github.io', 'a.github.io', 'called'],
    ['shop.localhost.example.com', 'www.example.com', 'called'],
    ['www.shop.localhost', 'cobrowse.shop.localhost', 'called'],
    ['localhost', 'shop.localhost', 'ignored'],
    ['127.0.0.1', '127.0.0.1', 'called'],
    ['127.0.0.1', '127.0.0.2', 'ignored'],
    ['[::1]', '[::1]', 'called'],
  ])('share the registrable domain of the page: on %s one on %s is %s', (page, host, fate) => {
    const url = `https://${host}${ROOT}`
    const points = separatePoints(`https://${page}/`, [url])
    expect([points.called.map(({ url }) => url), points.ignored]).toEqual(
      fate === 'called' ? [[url], []] : [[], [url]],
    )
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
    const { called } = separatePoints('http://www.shop.localhost/', [
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
