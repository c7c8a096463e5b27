import { describe, expect, it } from 'vitest'
import { isPoint, parsePoint } from '../../src/points/point.ts'

const PREFIX = '/service_cookie_transfer/'

describe('parsePoint', () => {
  const WWW = 'https://www.example.com'
  const IPV6 = 'http://[2001:db8::1]:8080'
  it.each([
    [WWW + PREFIX, { origin: WWW, authority: 'www.example.com', pathPrefix: '', cookiePath: '/' }],
    [
      `${WWW}/shop${PREFIX}`,
      { origin: WWW, path: `/shop${PREFIX}`, pathPrefix: '/shop', cookiePath: '/shop' },
    ],
    [`${WWW}/a/b%2Fc${PREFIX}`, { pathPrefix: '/a/b%2Fc', cookiePath: '/a/b%2Fc' }],
    [`${WWW}/a|b^c${PREFIX}`, { url: `${WWW}/a%7Cb%5Ec${PREFIX}`, path: `/a%7Cb%5Ec${PREFIX}` }],
    [`HTTPS://WWW.Example.COM:443${PREFIX}`, { url: WWW + PREFIX, origin: WWW }],
    [
      `http://www.example.com:80${PREFIX}`,
      { origin: 'http://www.example.com', scheme: 'http', authority: 'www.example.com' },
    ],
    [`http://www.example.com:443${PREFIX}`, { authority: 'www.example.com:443', host: 'www.example.com' }],
    [
      `${WWW}:8443${PREFIX}`,
      { origin: `${WWW}:8443`, authority: 'www.example.com:8443', host: 'www.example.com' },
    ],
    [
      `https://bücher.example${PREFIX}`,
      { origin: 'https://xn--bcher-kva.example', authority: 'xn--bcher-kva.example' },
    ],
    [
      `http://[2001:DB8:0:0::1]:8080${PREFIX}`,
      { origin: IPV6, authority: IPV6.slice(7), host: '[2001:db8::1]' },
    ],
    [`http://127.0.0.1${PREFIX}`, { origin: 'http://127.0.0.1' }],
    [`${WWW}/${PREFIX}`, { pathPrefix: '/', path: `/${PREFIX}` }],
    [`${WWW}/Service_Cookie${PREFIX}`, { pathPrefix: '/Service_Cookie' }],
  ])('%s', (text, expected) => {
    expect(parsePoint(text, PREFIX)).toMatchObject(expected)
  })

  it.each([
    '',
    'www.example.com/service_cookie_transfer/',
    '/service_cookie_transfer/',
    '//www.example.com/service_cookie_transfer/',
    'ftp://www.example.com/service_cookie_transfer/',
    'https:/www.example.com/service_cookie_transfer/',
    'https:///service_cookie_transfer/',
    'https://user@www.example.com/service_cookie_transfer/',
    'https://@www.example.com/service_cookie_transfer/',
    `https://www.example.com/${'x'.repeat(8_192)}/service_cookie_transfer/`,
    'https://www.example.com/service_cookie_transfer/?',
    'https://www.example.com/service_cookie_transfer/#',
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
    'https://www.*.com/service_cookie_transfer/',
    'https://exa$mple.com/service_cookie_transfer/',
    'https://www..example.com/service_cookie_transfer/',
    'https://www.example.com:0/service_cookie_transfer/',
  ])('%j is invalid', (text) => {
    expect(parsePoint(text, PREFIX)).toMatchObject({ kind: 'invalid' })
  })

  it.each([
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
