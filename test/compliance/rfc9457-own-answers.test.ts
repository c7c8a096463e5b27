import { STATUS_CODES } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { openStage, type Stage, statusOf } from '../support/stage.ts'
import { onlyValue, type WireMessage } from '../support/wire.ts'

const SECRETS = 'Cookie: sid=secret-cookie\r\nAuthorization: Basic secret-auth\r\n'
const HTML = 'Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\n'

/** Request octets for every refusal that needs no fault upstream. `LINES` stands for field lines. */
const REFUSALS = [
  [
    'bad-message',
    400,
    'http_request_error',
    'GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nLINESX A: 1\r\n\r\n',
  ],
  [
    'bad-version',
    505,
    'http_request_error',
    'GET /service_cookie_transfer/?secret-query HTTP/1.9\r\nHost: www.example.com\r\nLINES\r\n',
  ],
  ['bad-host', 400, 'http_request_error', 'GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nLINES\r\n'],
  [
    'bad-target',
    400,
    'http_request_error',
    'GET /service_cookie_transfer/..?secret-query HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n',
  ],
  [
    'target-not-host',
    400,
    'http_request_error',
    'GET http://x/service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n',
  ],
  [
    'bad-forwarding',
    400,
    'http_request_error',
    'GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nX-Forwarded-Proto: secret\r\nLINES\r\n',
  ],
  [
    'bad-framing',
    400,
    'http_request_error',
    'POST /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: secret\r\nLINES\r\nsecret',
  ],
  [
    'unknown-coding',
    501,
    'http_request_error',
    'POST /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: secret, chunked\r\nLINES\r\n0\r\n\r\n',
  ],
  [
    'method-not-allowed',
    405,
    'http_request_denied',
    'TRACE /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n',
  ],
  [
    'too-many-fields',
    431,
    'http_request_error',
    `GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\n${'a: 1\r\n'.repeat(256)}LINES\r\n`,
  ],
  [
    'head-too-large',
    431,
    'http_request_error',
    `GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nX-A: ${'x'.repeat(4_096)}\r\nLINES\r\n`,
  ],
  [
    'unknown-authority',
    421,
    'destination_not_found',
    'GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: other.example\r\nLINES\r\n',
  ],
  [
    'other-scheme',
    421,
    'destination_not_found',
    'GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nX-Forwarded-Proto: https\r\nLINES\r\n',
  ],
  [
    'ambiguous-scheme',
    421,
    'destination_not_found',
    'GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: both.example.com\r\nLINES\r\n',
  ],
  [
    'unknown-path',
    404,
    'destination_not_found',
    'GET /secret-path?secret-query HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n',
  ],
  [
    'unknown-expectation',
    417,
    'http_request_error',
    'GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nExpect: secret\r\nLINES\r\n',
  ],
  [
    'body-too-large',
    413,
    'http_request_error',
    'POST /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 12\r\nLINES\r\nsecret-body!',
  ],
  [
    'loop',
    508,
    'proxy_loop_detected',
    'GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nVia: 1.1 continuation-point\r\nLINES\r\n',
  ],
  [
    'upstream-malformed',
    502,
    'http_protocol_error',
    'GET /service_cookie_transfer/?secret-query HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n',
  ],
] as const

describe('own answers (RFC 9457, RFC 9209)', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(
      {
        points: [
          'http://www.example.com/service_cookie_transfer/',
          'http://both.example.com/service_cookie_transfer/',
          'https://both.example.com/service_cookie_transfer/',
        ],
        limits: { bodyBytes: 10, headerBytes: 4_096 },
      },
      (_request, socket) => void socket.write('secret-garbage\r\nSet-Cookie: secret-cookie\r\n\r\n'),
    )
  })
  afterAll(() => stage.close())

  const ask = async (octets: string, lines: string): Promise<WireMessage> => {
    const recordsBefore = stage.proxy.records.length
    const client = await openClient(stage.proxy.port)
    client.write(octets.replace('LINES', SECRETS + lines))
    const answer = await client.response(octets.slice(0, octets.indexOf(' ')))
    client.close()
    await stage.proxy.recorded(recordsBefore + 1)
    return answer
  }
  const expectNoSecret = (answer: WireMessage) => {
    expect(answer.octets).not.toMatch(/secret/)
    expect(answer.octets).not.toContain('test-widget-key')
    expect(answer.octets).not.toContain(stage.upstream.authority)
    expect(answer.octets).not.toContain(`:${stage.upstream.port}`)
    expect(answer.octets).not.toMatch(/\bat .*\.[tj]s:|HPE_|UND_ERR|node:|undici|Hono/i)
  }

  it.each(REFUSALS)('%s: a problem document', async (code, status, error, octets) => {
    const answer = await ask(octets, 'Accept: */*\r\n')
    expect(answer.startLine).toBe(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`)
    expect(onlyValue(answer.fields, 'content-type')).toBe('application/problem+json')
    expect(onlyValue(answer.fields, 'proxy-status')).toBe(`continuation-point; error=${error}`)
    expect(onlyValue(answer.fields, 'cache-control')).toBe('no-store')
    expect(onlyValue(answer.fields, 'content-length')).toBe(String(answer.body.length))
    const problem = JSON.parse(answer.body) as Record<string, unknown>
    const members = ['type', 'status', 'title', 'detail', 'code', 'instance', 'help']
    const isUnowned = error === 'destination_not_found'
    expect(Object.keys(problem)).toEqual(isUnowned ? [...members, 'arrived'] : members)
    expect(problem).toMatchObject({
      type: 'about:blank',
      status,
      code,
      help: `docs/troubleshooting.md#${status}`,
    })
    const record = stage.proxy.records.find(({ id }) => id() === problem.instance)
    expect(record).toMatchObject({ status, outcome: code })
    expectNoSecret(answer)
  })

  it.each(
    REFUSALS.filter(
      ([code, , , octets]) => octets.startsWith('GET') && !/^(?:bad-(?:message|version)|head-)/.test(code),
    ),
  )('%s: a page for a browser', async (code, status, error, octets) => {
    const answer = await ask(octets, HTML)
    expect(statusOf(answer)).toBe(status)
    expect(onlyValue(answer.fields, 'content-type')).toBe('text/html; charset=utf-8')
    expect(onlyValue(answer.fields, 'proxy-status')).toBe(`continuation-point; error=${error}`)
    expect(onlyValue(answer.fields, 'content-security-policy')).toContain("default-src 'none'")
    expect(answer.body).toMatch(/^<!doctype html>/)
    expect(answer.body).toContain(`<code>${code}</code>`)
    expect(answer.body).toContain(`<code>docs/troubleshooting.md#${status}</code>`)
    expect(answer.body.match(/Next step/g)).toHaveLength(1)
    expect(answer.body).not.toMatch(/<script|https?:|\bsrc=|\bhref=|url\(/)
    expect(answer.body.length).toBeLessThan(5_000)
    const [, id] = /<code>([0-9a-f-]{36})<\/code>/.exec(answer.body) ?? []
    const responseOctets = answer.body.length
    const record = stage.proxy.records.find((each) => each.id() === id)
    expect(record).toMatchObject({ status, outcome: code, responseOctets })
    expectNoSecret(answer)
  })

  it.each([
    [
      'unknown-authority',
      '/service_cookie_transfer/',
      'Host: Other.example:81',
      'other.example:81',
      'unknown',
    ],
    [
      'other-scheme',
      '/service_cookie_transfer/',
      'Host: www.example.com\r\nX-Forwarded-Proto: https',
      'www.example.com',
      'https',
    ],
    [
      'ambiguous-scheme',
      '/service_cookie_transfer/',
      'Host: both.example.com',
      'both.example.com',
      'unknown',
    ],
    ['unknown-path', '/other', 'Host: www.example.com', 'www.example.com', 'unknown'],
  ])('%s: says which authority and scheme arrived', async (code, path, lines, authority, scheme) => {
    const octets = `GET ${path} HTTP/1.1\r\n${lines}\r\nLINES\r\n`
    const problem = JSON.parse((await ask(octets, '')).body) as Record<string, unknown>
    expect(problem).toMatchObject({ code, arrived: { authority, scheme } })
    const page = await ask(octets, HTML)
    expect(page.body).toContain(`<dt>Host that arrived</dt><dd><code>${authority}</code></dd>`)
    expect(page.body).toContain(scheme === 'unknown' ? 'not known here' : `<dd><code>${scheme}</code></dd>`)
    expectNoSecret(page)
  })

  it.each([
    ['the root of a point', '/service_cookie_transfer/?secret-query', true],
    ['below it', '/service_cookie_transfer/x', false],
  ])('%s: the form of the verification page is %s', async (_name, target, isVerification) => {
    const answer = await ask(`GET ${target} HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n`, HTML)
    expect(statusOf(answer)).toBe(502)
    expect(/data-check="forwarded" data-outcome="fail"/.test(answer.body)).toBe(isVerification)
    expect(answer.body).toContain('<dt>Host that arrived</dt><dd><code>www.example.com</code></dd>')
    expectNoSecret(answer)
  })

  it.each([
    ['POST, though it accepts a page', 'POST', HTML],
    ['GET that accepts JSON', 'GET', 'Accept: application/json\r\n'],
    ['GET that accepts anything', 'GET', 'Accept: */*\r\n'],
    ['GET without Accept', 'GET', ''],
    ['GET that accepts what only looks like a page', 'GET', 'Accept: text/htmlx\r\n'],
  ])('%s gets the problem document', async (_name, method, lines) => {
    const answer = await ask(`${method} /other HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n`, lines)
    expect(onlyValue(answer.fields, 'content-type')).toBe('application/problem+json')
  })

  it('HEAD gets the fields of the page and no body', async () => {
    const page = await ask('GET /other HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n', HTML)
    const head = await ask('HEAD /other HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n', HTML)
    expect(stage.proxy.records.at(-1)?.responseOctets).toBe(0)
    const lasting = ({ fields }: WireMessage) =>
      fields.filter(([name]) => name !== 'Date' && name !== 'X-Request-Id')
    expect(lasting(head)).toEqual(lasting(page))
    expect(head.body).toBe('')
  })

  it('405 lists the methods', async () => {
    const answer = await ask(
      'TRACE /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nLINES\r\n',
      '',
    )
    expect(onlyValue(answer.fields, 'allow')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
  })
})
