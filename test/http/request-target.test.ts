import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRequestTarget } from '../../src/http/request-target.ts'

describe('parseRequestTarget', () => {
  it.each([
    ['/', '/', '/'],
    ['/a/b', '/a/b', '/a/b'],
    ['/a?b?c', '/a?b?c', '/a'],
    ['/?', '/?', '/'],
    ['//a', '//a', '//a'],
    ['/a\x7e"<>^`{|}', '/a~"<>^`{|}', '/a~"<>^`{|}'],
    ['/a?\\..%00', '/a?\\..%00', '/a'],
    ['*', '*', '*'],
  ])('%j gives %j', (raw, pathAndQuery, path) => {
    expect(parseRequestTarget(raw)).toEqual({ pathAndQuery, path, authority: undefined, scheme: undefined })
  })

  it.each([
    ['http://Example.com/a?b', '/a?b', 'example.com', undefined, 'http'],
    ['HTTPS://example.com:8443/', '/', 'example.com', 8443, 'https'],
    ['http://example.com', '/', 'example.com', undefined, 'http'],
    ['http://example.com?x', '/?x', 'example.com', undefined, 'http'],
    ['http://[::1]:80/x', '/x', '[::1]', 80, 'http'],
    ['http://example.com//x', '//x', 'example.com', undefined, 'http'],
  ])('%j gives %j of %s', (raw, pathAndQuery, host, port, scheme) => {
    expect(parseRequestTarget(raw)).toMatchObject({ pathAndQuery, authority: { host, port }, scheme })
  })

  it.each([
    '',
    '/a b',
    '/\x7f',
    '/\u{1f36a}',
    '/a?b#c',
    '?a',
    '*/',
    'ftp://example.com/',
    'http:/example.com/',
    'http://a@example.com/',
    'http://example.com\\x/',
    '/a\\b',
    '/a/%2e%2e?x',
    'http://example.com/%2e',
    '/%00',
    '/a%0d',
    '/a%0Ab',
  ])('%j is refused', (raw) => {
    expect(parseRequestTarget(raw)).toBeUndefined()
  })

  const pieces = [
    '/',
    '.',
    '%2e',
    '%2f',
    '\\',
    '?',
    '#',
    'a',
    '%',
    '00',
    'http://',
    'x.y',
    ':80',
    '@',
    '*',
    ' ',
  ]
  const target = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((chosen) => chosen.join('')),
  )

  it('never throws, and returns only octets that arrived', () => {
    fc.assert(
      fc.property(target, (raw) => {
        const parsed = parseRequestTarget(raw)
        if (parsed === undefined) return
        // A path that was left out of an absolute-form target is the one thing that is added.
        expect(
          raw.endsWith(parsed.pathAndQuery) ||
            `/${raw.slice(raw.indexOf('?'))}`.endsWith(parsed.pathAndQuery) ||
            parsed.pathAndQuery === '/',
        ).toBe(true)
        expect(parsed.pathAndQuery.startsWith(parsed.path)).toBe(true)
        expect(parsed.path).toMatch(/^(?:\/[\x21-\x7e]*|\*)$/)
        expect(parsed.path).not.toMatch(/[?#\\]/)
      }),
    )
  })

  it('accepts nothing that the WHATWG parser would read as another path', () => {
    fc.assert(
      fc.property(target, (raw) => {
        const parsed = parseRequestTarget(raw)
        if (parsed === undefined || parsed.path === '*') return
        const { pathname } = new URL(`http://host.example${parsed.pathAndQuery}`)
        expect(pathname.split('/').length).toBe(parsed.path.split('/').length)
      }),
    )
  })
})
