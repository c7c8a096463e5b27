import { describe, expect, it } from 'vitest'
import { findNamePrefix, hostReceives, judgeScope, parseCookieDomain } from '../../src/site/cookie-scope.ts'

const good = { name: 'sid', domain: 'www.example.com', path: '/', httponly: true, secure: undefined }

describe('cookie domain', () => {
  it.each([
    ['www.example.com', 'www.example.com', true],
    ['.example.com', 'example.com', false],
    ['.EXAMPLE.com', 'example.com', false],
    ['Bücher.example', 'xn--bcher-kva.example', true],
    ['my_shop.example.com', 'my_shop.example.com', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['::1', '[::1]', true],
    ['[::1]', '[::1]', true],
    ['2001:db8::1', '[2001:db8::1]', true],
    ['localhost', 'localhost', true],
  ])('%s is %s, host-only %s', (text, host, hostOnly) => {
    expect(parseCookieDomain(text)).toEqual({ host, hostOnly })
  })

  it.each([
    ['', 'it is empty'],
    ['.', 'it is empty'],
    ['..example.com', 'it begins with more than one dot'],
    ['*.example.com', 'it is not a host name'],
    ['https://www.example.com', 'it is not a host name'],
    ['www.example.com:8443', 'it is not a host name'],
    ['www.example.com.', 'it ends in a dot'],
    ['.192.0.2.1', 'it is an IP address, which has no subdomains'],
    ['.[::1]', 'it is an IP address, which has no subdomains'],
  ])('%s is refused: %s', (text, fault) => {
    expect(parseCookieDomain(text)).toEqual({ fault })
  })

  it.each([
    ['www.example.com', 'www.example.com', true],
    ['example.com', 'www.example.com', false],
    ['www.example.com', '.example.com', true],
  ])('%s receives a cookie of %s: %s', (host, text, expected) => {
    const domain = parseCookieDomain(text)
    expect('host' in domain && hostReceives(host, domain)).toBe(expected)
  })
})

describe('scope', () => {
  it.each([
    [{}, []],
    [{ name: '' }, ['name']],
    [{ name: 'a b' }, ['name']],
    [{ name: 'a=b' }, ['name']],
    [{ name: 'naïve' }, ['name']],
    [{ name: "a!#$%&'*+-.^_`|~9" }, []],
    [{ domain: '*' }, ['domain']],
    [{ domain: '.com' }, ['public-suffix']],
    [{ domain: '.github.io' }, ['public-suffix']],
    [{ domain: '.localhost' }, ['public-suffix']],
    [{ domain: 'github.io' }, []],
    [{ domain: '.shop.github.io' }, []],
    [{ path: '' }, ['path']],
    [{ path: 'shop' }, ['path']],
    [{ path: '/shop;x' }, ['path']],
    [{ path: '/shop\n' }, ['path']],
    [{ path: '/a b' }, ['path']],
    [{ path: '/a%20b' }, []],
    [{ path: '/café' }, ['path']],
    [{ path: '/a/../b' }, ['path']],
    [{ path: '/shop?x' }, ['path']],
    [{ path: `/${'a'.repeat(1023)}` }, []],
    [{ path: `/${'a'.repeat(1024)}` }, ['path']],
    [{ name: '__Host-sid' }, []],
    [{ name: '__host-sid', path: '/shop' }, ['prefix']],
    [{ name: '__Host-sid', domain: '.example.com' }, ['prefix']],
    [{ name: '__Host-sid', secure: false }, ['prefix']],
    [{ name: '__Secure-sid', domain: '.example.com', path: '/shop' }, []],
    [{ name: '__SECURE-sid', secure: false }, ['prefix']],
    [{ name: '__Http-sid', httponly: false }, ['prefix']],
    [{ name: '__Http-sid', domain: '.example.com' }, []],
    [{ name: '__Host-Http-sid', httponly: false }, ['prefix']],
    [{ name: '__Host-Http-sid', domain: '.example.com' }, ['prefix']],
    [{ name: '__Hostsid', domain: '.example.com' }, []],
    [{ name: '', domain: '', path: '' }, ['name', 'domain', 'path']],
  ])('%j has the faults %j', (change, kinds) => {
    const judged = judgeScope({ ...good, ...change })
    expect(judged.faults.map((fault) => fault.kind)).toEqual(kinds)
    expect(judged.scope === undefined).toBe(kinds.length > 0)
  })

  it.each([
    ['sid', undefined, undefined],
    ['sid', false, false],
    ['sid', true, true],
    ['__secure-sid', undefined, true],
  ])('%s with the hint %s is Secure: %s', (name, hint, secure) => {
    expect(judgeScope({ ...good, name, secure: hint }).scope?.secure).toBe(secure)
  })
})

it.each([
  ['__Host-a', '__Host-'],
  ['__HOST-HTTP-a', '__Host-Http-'],
  ['__http-a', '__Http-'],
  ['__sEcUrE-a', '__Secure-'],
  ['_Host-a', undefined],
  ['a__Host-', undefined],
])('the name %s has the prefix %s', (name, text) => {
  expect(findNamePrefix(name)?.text).toBe(text)
})
