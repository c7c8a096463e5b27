import { createServer } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient } from '../support/raw-client.ts'
import { codeOf, forwarded, openStage, type Stage, statusOf } from '../support/stage.ts'
import { onlyValue } from '../support/wire.ts'

/** The proxy in front of a site: `begin(incoming, outgoing, next)` on a plain node:http server. */
describe('mounted before a site', () => {
  let stage: Stage
  let port: number
  beforeEach(async () => {
    stage = await openForTest(openStage())
    const site = createServer((incoming, outgoing) =>
      stage.proxy.proxy.listener(incoming, outgoing, () => {
        outgoing.setHeader('X-Site', 'yes')
        incoming.pipe(outgoing)
      }),
    )
    port = await listenForTest(site)
  })

  const ask = async (octets: string) => {
    const client = await openForTest(openClient(port))
    client.write(octets)
    return client.response()
  }

  it.each([
    ['another path', 'POST /other HTTP/1.1\r\nHost: www.example.com\r\n'],
    ['another authority', 'POST /service_cookie_transfer/ HTTP/1.1\r\nHost: other.example\r\n'],
    ['a target that the proxy would refuse', 'POST /..%2fx HTTP/1.1\r\nHost: www.example.com\r\n'],
    [
      'a method that is never forwarded',
      'TRACE /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n',
    ],
    ['an upgrade', 'POST /other HTTP/1.1\r\nHost: www.example.com\r\nConnection: upgrade\r\nUpgrade: x\r\n'],
  ])('%s is left to the site, body and all', async (_name, head) => {
    const answer = await ask(`${head}Content-Length: 5\r\n\r\nhello`)
    expect([onlyValue(answer.fields, 'x-site'), answer.body]).toEqual(['yes', 'hello'])
    expect(onlyValue(answer.fields, 'connection')).toBe('keep-alive')
    expect(stage.proxy.records).toEqual([])
  })

  it('what a point owns is forwarded', async () => {
    const answer = await ask('GET /shop/service_cookie_transfer/x HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
    expect([statusOf(answer), onlyValue(answer.fields, 'x-site')]).toEqual([200, undefined])
    expect(stage.upstream.requests.map(({ octets }) => octets)).toEqual([
      forwarded(stage, { path: '/service_cookie_transfer/x' }),
    ])
  })

  it.each([
    ['a point’s path without its slash', 'GET /service_cookie_transfer', '', 308, undefined],
    ['a loop', 'GET /service_cookie_transfer/', 'Via: 1.1 continuation-point\r\n', 508, 'loop'],
  ])('%s is answered', async (_name, line, lines, status, code) => {
    const answer = await ask(`${line} HTTP/1.1\r\nHost: www.example.com\r\n${lines}\r\n`)
    expect([statusOf(answer), codeOf(answer), onlyValue(answer.fields, 'x-site')]).toEqual([
      status,
      code,
      undefined,
    ])
  })
})
