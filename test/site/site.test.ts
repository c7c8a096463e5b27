import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLoopbackHost, isSingleLabelHost, toCanonicalHost } from '../../src/http/host.ts'
import { isListedPublicSuffix, isPublicSuffix, toRegistrableDomain, toSite } from '../../src/site/site.ts'

describe('canonical host', () => {
  it.each([
    ['WWW.Example.COM', 'www.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['faß.de', 'xn--fa-hia.de'],
    ['ex_ample.com', 'ex_ample.com'],
    ['example.com.', 'example.com.'],
    ['0x7f.1', '127.0.0.1'],
    ['[0:0::1]', '[::1]'],
    ['a.localhost', 'a.localhost'],
    ['*.example.com', undefined],
    ['a..b', undefined],
    ['.', undefined],
    ['', undefined],
    ['example.com:80', undefined],
    ['user@example.com', undefined],
    ['example.com/x', undefined],
    ['exa mple.com', undefined],
    ['ex%61mple.com', undefined],
    ['[::1', undefined],
    ['::1', undefined],
    ['1.2.3.256', undefined],
    [`${'a'.repeat(64)}.com`, undefined],
    [Array(128).fill('a').join('.'), undefined],
  ])('%s is %s', (text, host) => {
    expect(toCanonicalHost(text)).toBe(host)
  })

  it('of a canonical host is the same', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.string()), (text) => {
        const host = toCanonicalHost(text)
        if (host !== undefined) expect(toCanonicalHost(host)).toBe(host)
      }),
    )
  })
})

it.each([
  ['localhost', true, true],
  ['www.shop.localhost', true, false],
  ['localhost.', true, true],
  ['127.255.0.1', true, false],
  ['[::1]', true, false],
  ['128.0.0.1', false, false],
  ['[::2]', false, false],
  ['intranet', false, true],
  ['notlocalhost', false, true],
  ['localhost.example.com', false, false],
])('loopback and single label %s: loopback %s, single label %s', (host, loopback, single) => {
  expect([isLoopbackHost(host), isSingleLabelHost(host)]).toEqual([loopback, single])
})

describe('registrable domain', () => {
  it.each([
    ['www.example.com', 'example.com'],
    ['example.com', 'example.com'],
    ['a.b.example.co.uk', 'example.co.uk'],
    ['example.com.', 'example.com.'],
    ['shop.github.io', 'shop.github.io'],
    ['a.shop.github.io', 'shop.github.io'],
    ['www.shop.localhost', 'shop.localhost'],
    ['www.example.test', 'example.test'],
    ['city.kawasaki.jp', 'city.kawasaki.jp'],
    ['xn--fa-hia.de', 'xn--fa-hia.de'],
    ['com', undefined],
    ['github.io', undefined],
    ['localhost', undefined],
    ['192.0.2.1', undefined],
    ['[2001:db8::1]', undefined],
    ['a..b', undefined],
  ])('of %s is %s', (host, domain) => {
    expect(toRegistrableDomain(host)).toBe(domain)
  })

  it('of a registrable domain is itself', () => {
    fc.assert(
      fc.property(fc.domain(), (name) => {
        const domain = toRegistrableDomain(name.toLowerCase())
        if (domain !== undefined) expect(toRegistrableDomain(domain)).toBe(domain)
      }),
    )
  })
})

it.each([
  ['com', true, true],
  ['co.uk', true, true],
  ['github.io', true, true],
  ['com.', true, true],
  ['localhost', true, false],
  ['intranet', true, false],
  ['example.com', false, false],
  ['foo.github.io', false, false],
  ['127.0.0.1', false, false],
  ['[::1]', false, false],
])('public suffix %s: by the algorithm %s, listed %s', (host, suffix, listed) => {
  expect([isPublicSuffix(host), isListedPublicSuffix(host)]).toEqual([suffix, listed])
})

// The first rows are the table of the HTML Standard, section "sites".
it.each([
  ['https://example.com', 'https://sub.example.com', true],
  ['https://example.com', 'https://sub.other.example.com', true],
  ['https://example.com', 'http://non-secure.example.com', true],
  ['https://r.wildlife.museum', 'https://sub.r.wildlife.museum', true],
  ['https://r.wildlife.museum', 'https://sub.other.r.wildlife.museum', true],
  ['https://sub.r.wildlife.museum', 'https://sub.other.r.wildlife.museum', true],
  ['https://wildlife.museum', 'https://wildlife.museum', true],
  ['https://wildlife.museum', 'https://wildlife.museum.', false],
  ['https://example.com', 'https://example.com.', false],
  ['https://example.com:8080', 'https://www.example.com', true],
  ['https://a.github.io', 'https://b.github.io', false],
  ['https://a.localhost', 'https://b.localhost', false],
  ['http://localhost:1', 'http://localhost:2', true],
  ['http://127.0.0.1', 'http://127.0.0.2', false],
  ['http://127.0.0.1', 'http://127.0.0.1:81', true],
  ['https://intranet', 'https://www.intranet', false],
])('same site %s and %s: %s', (left, right, isSame) => {
  expect(toSite(new URL(left).hostname) === toSite(new URL(right).hostname)).toBe(isSame)
})
