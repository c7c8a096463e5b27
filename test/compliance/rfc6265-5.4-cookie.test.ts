import { describe, expect, it } from 'vitest'
import { forwarded, setUpStage } from '../support/stage.ts'

const HEAD = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n'

const LINES = [
  'Cookie: sid=1\r\n',
  'COOKIE: sid=1; other=2;third=3 ;  fourth="x y"\r\n',
  'Cookie: sid=1;\r\n',
  'Cookie: ;;a=1\r\n',
  'Cookie: a=1\r\ncookie: b=2\r\nCookie: a=1\r\n',
  'Cookie: sid=caf\xe9\xff; x=\x80\r\n',
  'Cookie: a=b=c; d==; =e; f\r\n',
  'Cookie: __Host-sid=1; __Secure-x={"a":[1,2]}\r\n',
  'Cookie: $Version=1; sid=1; $Path="/"\r\n',
  'Cookie: \r\n',
  'Cookie2: $Version=1\r\n',
]

describe('Cookie (RFC 6265 section 5.4), forward.cookies "all"', () => {
  const stage = setUpStage()

  it.each(LINES)('%j is kept octet for octet', (lines) =>
    stage.expectForwarded(`${HEAD}${lines}\r\n`, { lines }),
  )
})

describe('Cookie, forward.cookies "scoped"', () => {
  const stage = setUpStage({
    cookies: [
      { name: 'sid', domain: 'www.example.com', path: '/' },
      { name: 'basket', domain: '.example.com', path: '/shop' },
    ],
    forward: { cookies: 'scoped', alsoCookies: ['lang'] },
  })

  it.each([
    ['sid=1', 'sid=1'],
    ['sid=1; basket=2; lang=de', 'sid=1; basket=2; lang=de'],
    ['other=0; sid=1; ga=2; basket=3; x=4', 'sid=1; basket=3'],
    ['sid=1;other=2;lang=de', 'sid=1; lang=de'],
    ['SID=1; Sid=2; sid=3', 'sid=3'],
    ['sid=a=b; sid=c; xsid=d; sidx=e', 'sid=a=b; sid=c'],
    ['sid="a b,c"; x=1', 'sid="a b,c"'],
    ['sid=caf\xe9\xff', 'sid=caf\xe9\xff'],
    ['sid=\xc3\xa0; x=1', 'sid=\xc3\xa0'],
    ['sid', undefined],
    ['=sid', undefined],
    ['other=sid=1', undefined],
    ['other="; sid=1"', 'sid=1"'],
    ['other=1', undefined],
    [' ; ; ', undefined],
    ['', undefined],
    ['__proto__=1; constructor=2', undefined],
  ])('of %j leaves %j', (cookies, kept) =>
    stage.expectForwarded(`${HEAD}Cookie: ${cookies}\r\n\r\n`, {
      lines: kept === undefined ? '' : `Cookie: ${kept}\r\n`,
    }),
  )

  it('filters each line separately', async () => {
    const lines = 'Cookie: a=1\r\ncookie: sid=2\r\nX-A: 1\r\nCookie: lang=de; b=2\r\n'
    const { forwarded: seen } = await stage.play(`${HEAD}${lines}\r\n`)
    expect(seen).toEqual([forwarded(stage, { lines: 'cookie: sid=2\r\nX-A: 1\r\nCookie: lang=de\r\n' })])
  })
})

describe('the cookie path, service.keepCookiePath', () => {
  const stage = setUpStage({ service: { keepCookiePath: true } })

  it.each([
    '/service_cookie_transfer/',
    '/shop/service_cookie_transfer/',
    '/shop/service_cookie_transfer/init?x=%2e',
  ])('%s is kept', (path) =>
    stage.expectForwarded(`GET ${path} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`, { path }),
  )
})
