import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { setUpStage, statusOf } from '../support/stage.ts'
import { onlyValue, type WireMessage } from '../support/wire.ts'

const POINT = '/service_cookie_transfer/'
const SECRETS = 'Cookie: sid=secret-cookie\r\nAuthorization: Basic secret-auth\r\n'
const HTML = 'Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\n'

/** Octets of a request to the point; `LINES` stands for more field lines. */
const toOctets = (
  lines = '',
  { method = 'GET', target = '/service_cookie_transfer/?secret-query', version = '1.1' } = {},
  host = 'Host: www.example.com\r\n',
) => `${method} ${target} HTTP/${version}\r\n${host}${lines}LINES\r\n`

/** A request for every refusal that needs no fault upstream, and for one that does. */
const REFUSALS = [
  ['bad-message', 400, 'http_request_error', `${toOctets().replace('LINES', 'LINESX A: 1\r\n')}`],
  ['bad-version', 505, 'http_request_error', toOctets('', { version: '1.9' })],
  ['bad-host', 400, 'http_request_error', toOctets('', {}, '')],
  ['bad-target', 400, 'http_request_error', toOctets('', { target: `${POINT}..?secret-query` })],
  ['target-not-host', 400, 'http_request_error', toOctets('', { target: `http://x${POINT}?secret-query` })],
  ['bad-forwarding', 400, 'http_request_error', toOctets('X-Forwarded-Proto: secret\r\n')],
  [
    'bad-framing',
    400,
    'http_request_error',
    `${toOctets('Transfer-Encoding: secret\r\n', { method: 'POST' })}secret`,
  ],
  [
    'unknown-coding',
    501,
    'http_request_error',
    `${toOctets('Transfer-Encoding: secret, chunked\r\n', { method: 'POST' })}0\r\n\r\n`,
  ],
  ['method-not-allowed', 405, 'http_request_denied', toOctets('', { method: 'TRACE' })],
  // With the other lines one more than we take; newer lines of Node themselves refuse what is above that.
  ['too-many-fields', 431, 'http_request_error', toOctets('a: 1\r\n'.repeat(253))],
  ['head-too-large', 431, 'http_request_error', toOctets(`X-A: ${'x'.repeat(4_096)}\r\n`)],
  ['unknown-authority', 421, 'destination_not_found', toOctets('', {}, 'Host: other.example\r\n')],
  ['other-scheme', 421, 'destination_not_found', toOctets('X-Forwarded-Proto: https\r\n')],
  ['ambiguous-scheme', 421, 'destination_not_found', toOctets('', {}, 'Host: both.example.com\r\n')],
  ['unknown-path', 404, 'destination_not_found', toOctets('', { target: '/secret-path?secret-query' })],
  ['unknown-expectation', 417, 'http_request_error', toOctets('Expect: secret\r\n')],
  [
    'body-too-large',
    413,
    'http_request_error',
    `${toOctets('Content-Length: 12\r\n', { method: 'POST' })}secret-body!`,
  ],
  ['loop', 508, 'proxy_loop_detected', toOctets('Via: 1.1 continuation-point\r\n')],
  ['upstream-malformed', 502, 'http_protocol_error', toOctets()],
] as const

describe('own answers (RFC 9457, RFC 9209)', () => {
  const stage = setUpStage(
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

  const ask = async (octets: string, lines: string): Promise<WireMessage> => {
    const recordsBefore = stage.proxy.records.length
    const client = await stage.ask(octets.replace('LINES', SECRETS + lines))
    const answer = await client.response(octets.slice(0, octets.indexOf(' ')))
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
    ['unknown-authority', POINT, 'Host: Other.example:81', 'other.example:81', 'unknown'],
    ['other-scheme', POINT, 'Host: www.example.com\r\nX-Forwarded-Proto: https', 'www.example.com', 'https'],
    ['ambiguous-scheme', POINT, 'Host: both.example.com', 'both.example.com', 'unknown'],
    ['unknown-path', '/other', 'Host: www.example.com', 'www.example.com', 'unknown'],
  ])('%s: says which authority and scheme arrived', async (code, target, lines, authority, scheme) => {
    const octets = toOctets('', { target }, `${lines}\r\n`)
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
    const answer = await ask(toOctets('', { target }), HTML)
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
    const answer = await ask(toOctets('', { method, target: '/other' }), lines)
    expect(onlyValue(answer.fields, 'content-type')).toBe('application/problem+json')
  })

  it('HEAD gets the fields of the page and no body', async () => {
    const page = await ask(toOctets('', { target: '/other' }), HTML)
    const head = await ask(toOctets('', { method: 'HEAD', target: '/other' }), HTML)
    expect(stage.proxy.records.at(-1)?.responseOctets).toBe(0)
    const lasting = ({ fields }: WireMessage) =>
      fields.filter(([name]) => name !== 'Date' && name !== 'X-Request-Id')
    expect(lasting(head)).toEqual(lasting(page))
    expect(head.body).toBe('')
  })

  it('405 lists the methods', async () => {
    const answer = await ask(toOctets('', { method: 'TRACE' }), '')
    expect(onlyValue(answer.fields, 'allow')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
  })
})
