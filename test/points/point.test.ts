import { describe, expect, it } from 'vitest'
import { isPoint, parsePoint } from '../../src/points/point.ts'

const PREFIX = '/service_cookie_transfer/'

describe('parsePoint', () => {
  it.each([
    [
      'https://www.example.com/service_cookie_transfer/',
      { origin: 'https://www.example.com', authority: 'www.example.com', pathPrefix: '', cookiePath: '/' },
    ],
    [
      'https://www.example.com/shop/service_cookie_transfer/',
      {
        origin: 'https://www.example.com',
        path: '/shop/service_cookie_transfer/',
        pathPrefix: '/shop',
        cookiePath: '/shop',
      },
    ],
    [
      'https://www.example.com/a/b%2Fc/service_cookie_transfer/',
      { pathPrefix: '/a/b%2Fc', cookiePath: '/a/b%2Fc' },
    ],
    [
      'https://www.example.com/a|b^c/service_cookie_transfer/',
      {
        url: 'https://www.example.com/a%7Cb%5Ec/service_cookie_transfer/',
        path: '/a%7Cb%5Ec/service_cookie_transfer/',
      },
    ],
    [
      'HTTPS://WWW.Example.COM:443/service_cookie_transfer/',
      { url: 'https://www.example.com/service_cookie_transfer/', origin: 'https://www.example.com' },
    ],
    [
      'http://www.example.com:80/service_cookie_transfer/',
      { origin: 'http://www.example.com', scheme: 'http', authority: 'www.example.com' },
    ],
    [
      'http://www.example.com:443/service_cookie_transfer/',
      { origin: 'http://www.example.com:443', authority: 'www.example.com:443', host: 'www.example.com' },
    ],
    [
      'https://www.example.com:8443/service_cookie_transfer/',
      { origin: 'https://www.example.com:8443', authority: 'www.example.com:8443', host: 'www.example.com' },
    ],
    [
      'https://bücher.example/service_cookie_transfer/',
      { origin: 'https://xn--bcher-kva.example', authority: 'xn--bcher-kva.example' },
    ],
    [
      'http://[2001:DB8:0:0::1]:8080/service_cookie_transfer/',
      { origin: 'http://[2001:db8::1]:8080', authority: '[2001:db8::1]:8080', host: '[2001:db8::1]' },
    ],
    ['http://127.0.0.1/service_cookie_transfer/', { origin: 'http://127.0.0.1' }],
    [
      'https://www.example.com//service_cookie_transfer/',
      { pathPrefix: '/', path: '//service_cookie_transfer/' },
    ],
    ['https://www.example.com/Service_Cookie/service_cookie_transfer/', { pathPrefix: '/Service_Cookie' }],
  ])('%s', (text, expected) => {
    const point = parsePoint(text, PREFIX)
    expect(isPoint(point)).toBe(true)
    expect(point).toMatchObject(expected)
  })

  it.each([
    '',
    'www.example.com/service_cookie_transfer/',
    '/service_cookie_transfer/',
    '//www.example.com/service_cookie_transfer/',
    'ftp://www.example.com/service_cookie_transfer/',
    'wss://www.example.com/service_cookie_transfer/',
    'https:/www.example.com/service_cookie_transfer/',
    'https:///service_cookie_transfer/',
    'https://user@www.example.com/service_cookie_transfer/',
    'https://user:pass@www.example.com/service_cookie_transfer/',
    'https://@www.example.com/service_cookie_transfer/',
    'https://www.example.com/service_cookie_transfer/?',
    'https://www.example.com/service_cookie_transfer/?a',
    'https://www.example.com/service_cookie_transfer/#',
    'https://www.example.com/service_cookie_transfer/#a',
    'https://www.example.com/x/../service_cookie_transfer/',
    'https://www.example.com/%2e/service_cookie_transfer/',
    'https://www.example.com/x%2f..%2fy/service_cookie_transfer/',
    'https://www.example.com\\service_cookie_transfer/',
    ' https://www.example.com/service_cookie_transfer/',
    'https://www.example.com/service_cookie_transfer/\n',
    'https://www.exam\tple.com/service_cookie_transfer/',
    'https://www.example.com:65536/service_cookie_transfer/',
    'https://www.example.com:x/service_cookie_transfer/',
    'https://[::1/service_cookie_transfer/',
    'https://exa mple.com/service_cookie_transfer/',
    'https://*.example.com/service_cookie_transfer/',
    'https://*/service_cookie_transfer/',
    'https://www.*.com/service_cookie_transfer/',
    'https://exa$mple.com/service_cookie_transfer/',
    'https://www..example.com/service_cookie_transfer/',
    'https://www.example.com:0/service_cookie_transfer/',
  ])('%j is invalid', (text) => {
    expect(parsePoint(text, PREFIX)).toMatchObject({ kind: 'invalid' })
  })

  it.each([
    'https://www.example.com',
    'https://www.example.com/',
    'https://www.example.com/service_cookie_transfer',
    'https://www.example.com/service_cookie_transfer/x',
    'https://www.example.com/xservice_cookie_transfer/',
    'https://www.example.com/SERVICE_COOKIE_TRANSFER/',
    'https://www.example.com/%73ervice_cookie_transfer/',
    'https://www.example.com/service_cookie_transfer//',
    'https://www.example.com/service_cookie_transfer/service_cookie_transfer/',
    'https://www.example.com/service_cookie_transfer/x/service_cookie_transfer/',
  ])('%s does not end with one prefix', (text) => {
    expect(parsePoint(text, PREFIX)).toMatchObject({ kind: 'prefix' })
  })

  it('uses the given prefix', () => {
    expect(isPoint(parsePoint('https://www.example.com/vendor/x/', '/vendor/x/'))).toBe(true)
    expect(parsePoint('https://www.example.com/service_cookie_transfer/', '/vendor/')).toMatchObject({
      kind: 'prefix',
    })
  })
})
