import { describe, expect, it } from 'vitest'
import { receives, separatePoints } from '../../../src/sandbox/state/visit.ts'

describe('the points of a session', () => {
  const ROOT = '/service_cookie_transfer/'

  it('are those of the page’s site, whatever their host, scheme and port', () => {
    const called = [
      `http://www.shop.localhost:8080${ROOT}`,
      `https://pay.shop.localhost${ROOT}`,
      `http://www.shop.localhost:9090/checkout${ROOT}`,
    ]
    const ignored = [`http://www.other.localhost:8080${ROOT}`, `http://localhost:8080${ROOT}`, 'no URL']
    const [first = '', ...others] = called
    const points = separatePoints('http://www.shop.localhost:8080/', [first, ...ignored, ...others])
    expect(points.called.map(({ url }) => url)).toEqual(called)
    expect(points.ignored).toEqual(ignored)
  })

  it.each([
    ['www.example.co.uk', 'www.other.co.uk', 'ignored'],
    ['a.github.io', 'b.github.io', 'ignored'],
    ['shop.localhost.example.com', 'www.example.com', 'called'],
    ['www.shop.localhost', 'cobrowse.shop.localhost', 'called'],
    ['localhost', 'shop.localhost', 'ignored'],
    ['127.0.0.1', '127.0.0.2', 'ignored'],
  ])('share the registrable domain of the page: on %s one on %s is %s', (page, host, fate) => {
    const url = `https://${host}${ROOT}`
    expect(separatePoints(`https://${page}/`, [url]).called).toHaveLength(fate === 'called' ? 1 : 0)
  })

  it.each([
    ['www.shop.localhost', '/checkout', true],
    ['.www.shop.localhost', '/checkout/', true],
    ['.shop.localhost', '/', true],
    ['www.shop.localhost', '/check', false],
    ['www.shop.localhost', `/checkout${ROOT}x/`, false],
    ['shop.localhost', '/', false],
    ['.op.localhost', '/', false],
  ])('receive a cookie of the domain %s and the path %s: %s', (domain, path, expected) => {
    const point = { host: 'www.shop.localhost', path: `/checkout${ROOT}` }
    expect(receives(point, { name: 'a', domain, path, httponly: true })).toBe(expected)
  })
})
