import { describe, expect, it } from 'vitest'
import { forwarded, setUpStage } from '../support/stage.ts'

const POINT = '/service_cookie_transfer/'

describe('request-target (RFC 9112 section 3.2)', () => {
  const stage = setUpStage({
    points: [
      'http://www.example.com/service_cookie_transfer/',
      'http://www.example.com/shop/service_cookie_transfer/',
      'http://www.example.com/shop/sale/service_cookie_transfer/',
    ],
  })

  const ask = (target: string, method = 'GET') =>
    stage.play(`${method} ${target} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`)

  it.each([
    // What arrived, and what the service gets if it differs.
    [POINT],
    [`${POINT}store?x=1`],
    [`${POINT}?`],
    [`${POINT}?a?b/../c`],
    [`${POINT}?back\\slash`],
    [`${POINT}?%00%0d%0a`],
    [`${POINT}?next=http://other.example/`],
    [`${POINT}a//b`],
    [`${POINT}/`],
    [`${POINT}a;b=1/..;/c`],
    [`${POINT}..foo/foo../...`],
    [`${POINT}.well-known`],
    [`${POINT}%252e%252e/x`],
    [`${POINT}%25%32%65`],
    [`${POINT}%zz%`],
    [`${POINT}a%2Fb`],
    [`${POINT}a%2fb`],
    [`${POINT}%7Euser~`],
    [`${POINT}"<>{}|^\``],
    [`${POINT}:@!$&'()*+,=`],
    [`${POINT}%c3%a9`],
    [`${POINT}service_cookie_transfer/again`],
    [`${POINT}shop/service_cookie_transfer/`],
    [`/shop${POINT}init`, `${POINT}init`],
    [`/shop/sale${POINT}init?a`, `${POINT}init?a`],
    [`http://www.example.com${POINT}x?y`, `${POINT}x?y`],
    [`HTTP://WWW.example.COM${POINT}x`, `${POINT}x`],
    [`http://www.example.com:80${POINT}x`, `${POINT}x`],
    [`http://www.example.com:${POINT}x`, `${POINT}x`],
    [`http://www.example.com/shop${POINT}x`, `${POINT}x`],
    // Its own scheme is ignored.
    [`HTTPS://www.example.com:443${POINT}x`, `${POINT}x`],
  ])('%s is forwarded octet for octet', async (target, path = target) => {
    expect(await ask(target)).toEqual({
      status: 200,
      forwarded: [forwarded(stage, { path })],
      connection: 'open',
    })
  })

  // Dot segments in every encoding are in test/http/url.test.ts.
  it.each([
    `${POINT}..`,
    `${POINT}../admin`,
    `${POINT}%2e%2e/x`,
    `${POINT}x%2f..`,
    `${POINT}a\\b`,
    '/\\www.example.com/service_cookie_transfer/',
    `${POINT}a%00b`,
    `${POINT}a%0db`,
    `${POINT}a%0Ab`,
    `${POINT}#fragment`,
    `${POINT}?q#fragment`,
    `/x/..${POINT}`,
    `http://www.example.com${POINT}..`,
    'ftp://www.example.com/service_cookie_transfer/',
    'http:///service_cookie_transfer/',
    'http://user@www.example.com/service_cookie_transfer/',
    'http://user:pass@www.example.com/service_cookie_transfer/',
    'http://[::1/service_cookie_transfer/',
    'http://%/',
    '*',
  ])('%s is refused', async (target) => {
    expect(await ask(target)).toEqual(refused(400, 'bad-target'))
  })

  it.each([
    'http://other.example/service_cookie_transfer/',
    'http://www.example.com:8080/service_cookie_transfer/',
    'http://www.example.com.:80/service_cookie_transfer/',
    'http://www.example.com:443/service_cookie_transfer/',
    'https://www.example.com:80/service_cookie_transfer/',
  ])('absolute-form %s names another authority than Host', async (target) => {
    expect(await ask(target)).toEqual(refused(400, 'target-not-host'))
  })

  it.each([
    ['authority-form', 'www.example.com:80'],
    ['a path without its first slash', 'service_cookie_transfer/'],
    ['a query alone', '?service_cookie_transfer/'],
    ['a raw octet above 0x7E', `${POINT}caf\xe9`],
    ['a raw DEL', `${POINT}\x7f`],
    ['a raw NUL', `${POINT}\x00`],
  ])('%s is not a request-target', async (_name, target) => {
    expect(await ask(target)).toEqual(refused(400, 'bad-message', 'closed'))
  })

  it.each([
    '/',
    'http://www.example.com',
    'http://www.example.com?service_cookie_transfer/',
    '/service_cookie_transfe/',
    '/SERVICE_COOKIE_TRANSFER/',
    '/%73ervice_cookie_transfer/',
    '//service_cookie_transfer/',
    '//www.example.com/service_cookie_transfer/',
    '/shop//service_cookie_transfer/',
    '/shopping/service_cookie_transfer/',
    '/shop/sale/x/service_cookie_transfer/',
    '/service_cookie_transfer%2Fx',
    '/x?/service_cookie_transfer/',
  ])('%s is not the path of a point', async (target) => {
    expect(await ask(target)).toEqual(refused(404, 'unknown-path'))
  })

  it('OPTIONS * asks about this server, which has no point at *', async () => {
    expect(await ask('*', 'OPTIONS')).toEqual(refused(404, 'unknown-path'))
  })
})

function refused(status: number, code: string, connection = 'open') {
  return { status, code, forwarded: [], connection }
}
