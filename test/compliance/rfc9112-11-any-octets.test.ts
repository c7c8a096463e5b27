import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDotSegment } from '../../src/http/url.ts'
import { setUpStage } from '../support/stage.ts'
import { WIDGET_KEY } from '../support/start-proxy.ts'
import { valuesOf, type WireMessage } from '../support/wire.ts'

/**
 * Request smuggling and its kin (RFC 9112 section 11), without a list of known tricks: requests are put together from
 * pieces that parsers have been found to disagree about. Whatever comes, what reaches the service must be one request
 * with one meaning, and the proxy's own fields must be the proxy's.
 */
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', 'get', 'GE T', '']
const TARGETS = [
  '/service_cookie_transfer/',
  '/service_cookie_transfer/a?b',
  '/shop/service_cookie_transfer/x',
  '/service_cookie_transfer/..',
  '/service_cookie_transfer/%2e%2e/x',
  '//www.example.com/service_cookie_transfer/',
  'http://www.example.com/service_cookie_transfer/',
  'http://other.example/service_cookie_transfer/',
  '/service_cookie_transfer/\\..\\x',
  '*',
]
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/0.9', '']
const LINE_ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n', '\0\r\n']
const NAMES = [
  'Host',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'X-Widget-Key',
  'X_Widget_Key',
  'x.continuation-origin',
  'X-Forwarded-For',
  'Forwarded',
  'Via',
  'Upgrade',
  'Expect',
  'Trailer',
  'TE',
  'Cookie',
  'X-A',
  'Content_Length',
  'Transfer_Encoding',
]
const VALUES = [
  'www.example.com',
  'other.example',
  '0',
  '5',
  '5, 5',
  '+5',
  'chunked',
  'identity',
  'gzip, chunked',
  'close',
  'keep-alive',
  'x-widget-key, content-length, host',
  'transfer-encoding',
  'forged',
  '100-continue',
  '1.1 continuation-point',
  'h2c',
  'a\r\n b',
  '\x0bchunked',
  'caf\xe9',
  '"',
]
const BODIES = [
  '',
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  '0\r\n\r\n',
  '5;x="\r\nhello\r\n0\r\nX-Widget-Key: forged\r\n\r\n',
  'GET /service_cookie_transfer/smuggled HTTP/1.1\r\nHost: www.example.com\r\nX-Widget-Key: forged\r\n\r\n',
]

const field = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom(': ', ': ', ': ', ':', ' : ', '\t:', ''),
    fc.constantFrom(...VALUES),
    fc.constantFrom(...LINE_ENDS),
  )
  .map((pieces) => pieces.join(''))
const start = fc
  .tuple(fc.constantFrom(...METHODS), fc.constantFrom(...TARGETS), fc.constantFrom(...VERSIONS))
  .map((words) => words.join(' '))
const request = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('POST /service_cookie_transfer/ HTTP/1.1') },
      { weight: 1, arbitrary: start },
    ),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('Host: www.example.com\r\n') },
      { weight: 1, arbitrary: field },
    ),
    fc.array(field, { maxLength: 4 }),
    fc.constantFrom(...BODIES),
  )
  .map(([line, host, fields, body]) => `${line}\r\n${host}${fields.join('')}\r\n${body}`)

describe('any octets', () => {
  const stage = setUpStage({ timeouts: { idle: '400ms' } })

  it('what reaches the service has one meaning, and the next client is served', {
    timeout: 60_000,
  }, async () => {
    let seen = 0
    await fc.assert(
      fc.asyncProperty(request, async (octets) => {
        const client = await stage.ask(octets)
        await client.received('\r\n\r\n').catch(() => undefined)
        client.close()
        const played = await stage.play(
          'GET /service_cookie_transfer/next HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
        )
        expect(played.status).toBe(200)
        for (; seen < stage.upstream.requests.length; seen += 1)
          expectOneMeaning(stage.upstream.requests[seen])
      }),
      { numRuns: 300 },
    )
    expect(stage.upstream.requests.some(({ startLine }) => !/next|healthy/.test(startLine))).toBe(true)
  })

  const expectOneMeaning = (request: WireMessage | undefined) => {
    if (request === undefined) return
    const [method = '', path = '', version] = request.startLine.split(' ')
    expect([method, version]).not.toContain('TRACE')
    expect(version).toBe('HTTP/1.1')
    expect(path).toMatch(/^\/service_cookie_transfer\//)
    expect(findDotSegment(path)).toBeUndefined()
    expect(valuesOf(request, 'host')).toEqual([stage.upstream.authority])
    expect(valuesOf(request, 'via').at(-1)).toMatch(/^1\.[01] continuation-point$/)
    expect(valuesOf(request, 'via').filter((value) => value.includes('continuation-point')).length).toBe(1)
    expect(
      [...valuesOf(request, 'content-length'), ...valuesOf(request, 'transfer-encoding')].length,
    ).toBeLessThan(2)
    const folded = (name: string) =>
      request.fields
        .filter(([other]) => other.toLowerCase().replace(/[^a-z0-9]/g, '-') === name)
        .map(([, value]) => value)
    expect(folded('x-widget-key')).toEqual([WIDGET_KEY])
    expect(folded('x-continuation-origin')).toEqual(['http://www.example.com'])
    for (const name of ['te', 'trailer', 'upgrade', 'expect', 'forwarded', 'keep-alive'])
      expect(folded(name)).toEqual([])
    for (const [name] of request.fields) expect(name).toMatch(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/)
    expect(request.octets.slice(0, request.octets.indexOf('\r\n\r\n'))).not.toMatch(/[^\r]\n|\r[^\n]|\0/)
  }
})
