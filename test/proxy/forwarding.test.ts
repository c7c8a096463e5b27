import { expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { answerWith } from '../support/recording-upstream.ts'
import { openStage } from '../support/stage.ts'

const RESPONSE =
  'HTTP/1.1 302 Found elsewhere\r\nLocation: /service_cookie_transfer/next?x=%20\r\nSet-Cookie: a=1; Path=/\r\nset-cookie: b=2; HttpOnly\r\nContent-Length: 3\r\nStrict-Transport-Security: max-age=1\r\nX-Octets: caf\xe9\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\n\r\nabc'

it('forwards the octets it matched and returns the response unchanged', async () => {
  const { upstream, ask } = await openForTest(openStage({}, answerWith(RESPONSE)))
  const client = await ask(
    'GET /shop/service_cookie_transfer/init?q=%7B1%7D HTTP/1.1\r\nHost: WWW.Example.com\r\nCookie: a=1; b="x y"\r\nX_Widget_Key: forged\r\nConnection: X-Widget-Key, x-gone\r\nX-Gone: 1\r\naccept: */*\r\nX-Octets: caf\xe9\r\nCookie: second=\xff\r\n\r\n',
  )
  const response = await client.response()
  expect(upstream.requests[0]?.octets).toBe(
    `GET /service_cookie_transfer/init?q=%7B1%7D HTTP/1.1\r\nhost: ${upstream.authority}\r\nconnection: keep-alive\r\nCookie: a=1; b="x y"\r\naccept: */*\r\nX-Octets: caf\xe9\r\nCookie: second=\xff\r\nX-Widget-Key: test-widget-key\r\nX-Continuation-Origin: http://www.example.com\r\nX-Forwarded-For: 127.0.0.1\r\nVia: 1.1 continuation-point\r\n\r\n`,
  )
  expect(response.startLine).toBe('HTTP/1.1 302 Found elsewhere')
  expect(response.fields.filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name))).toEqual([
    ['Location', '/service_cookie_transfer/next?x=%20'],
    ['Set-Cookie', 'a=1; Path=/'],
    ['set-cookie', 'b=2; HttpOnly'],
    ['Content-Length', '3'],
    ['X-Octets', 'caf\xe9'],
    ['Cache-Control', 'private, no-store'],
  ])
  expect(response.body).toBe('abc')
})
