import { afterEach, describe, expect, it } from 'vitest'
import { NONCE, type Sent, sign, signLine, toClaim } from '../support/claim.ts'
import { openClient } from '../support/raw-client.ts'
import { answerOk, answerWith, type Script, startUpstream } from '../support/recording-upstream.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { startProxy } from '../support/start-proxy.ts'
import { valuesOf, type WireMessage } from '../support/wire.ts'

let stage: Stage | undefined

afterEach(async () => {
  await stage?.close()
  stage = undefined
})

/** Sends one request with a claim, and returns both sides of it. */
async function ask(
  claim: string | undefined,
  { method = 'GET', path = '/service_cookie_transfer/', lines = '', rest = '\r\n' } = {},
  { script = answerOk, overrides = {} }: { script?: Script; overrides?: Record<string, unknown> } = {},
): Promise<{ readonly response: WireMessage; readonly vouching: string | undefined }> {
  stage = await openStage(overrides, script)
  const client = await openClient(stage.proxy.port)
  const own = claim === undefined ? '' : `Continuation-Point-Check: ${claim}\r\n`
  client.write(`${method} ${path} HTTP/1.1\r\nHost: www.example.com\r\n${own}${lines}${rest}`)
  const response = await client.response(method)
  client.close()
  expect(stage.upstream.octets.join('').toLowerCase()).not.toContain('continuation-point-check')
  const [vouching, ...others] = valuesOf(response, 'continuation-point-check')
  expect(others).toEqual([])
  return { response, vouching }
}

/** The words for method, path, query, cookies, fields and body. */
function wordsOf(vouching: string | undefined): string | undefined {
  return vouching?.split('.')[1]
}

const COOKIES = 'continuation_point_check=1; continuation_point_check=22; continuation_point_check='
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n'

describe('a question with a right proof', () => {
  it.each<[string, Parameters<typeof ask>[1], Sent, string]>([
    ['that is as claimed', {}, {}, 'yyyyyy'],
    ['with another method', { method: 'POST', rest: 'Content-Length: 0\r\n\r\n' }, {}, 'nyyyyy'],
    [
      'with another path',
      { path: '/service_cookie_transfer/a/b' },
      { path: '/service_cookie_transfer/a%2Fb' },
      'ynyyyy',
    ],
    ['with the same query', { path: '/service_cookie_transfer/?a=%41' }, { query: '?a=%41' }, 'yyyyyy'],
    ['without its query', {}, { query: '?a=1' }, 'yynyyy'],
    [
      'with the same body',
      { method: 'PUT', rest: 'Content-Length: 3\r\n\r\nabc' },
      { method: 'PUT', body: 'abc' },
      'yyyyyy',
    ],
    [
      'with the same body in chunks',
      { method: 'PUT', rest: CHUNKED },
      { method: 'PUT', body: 'abc' },
      'yyyyyy',
    ],
    [
      'with another body',
      { method: 'PUT', rest: 'Content-Length: 3\r\n\r\nabC' },
      { method: 'PUT', body: 'abc' },
      'yyyyyn',
    ],
    ['with the same cookies', { lines: `Cookie: ${COOKIES}\r\n` }, { cookies: COOKIES }, 'yyyyyy'],
    [
      'with cookies of others around them',
      { lines: `Cookie: lb=1; ${COOKIES}; sid=2\r\n` },
      { cookies: COOKIES },
      'yyyyyy',
    ],
    [
      'with marked values',
      { lines: 'Cookie: sid=continuation_point_check1\r\n' },
      { cookies: 'sid=continuation_point_check1' },
      'yyyyyy',
    ],
    ['without its cookies', {}, { cookies: COOKIES }, 'yyynyy'],
    [
      'with cookies in another order',
      { lines: `Cookie: ${COOKIES.split('; ').reverse().join('; ')}\r\n` },
      { cookies: COOKIES },
      'yyynyy',
    ],
    [
      'with cookies on two lines',
      { lines: `Cookie: ${COOKIES.replace('; ', '\r\nCookie: ')}\r\n` },
      { cookies: COOKIES },
      'yyynyy',
    ],
    [
      'with cookies without blanks',
      { lines: `Cookie: ${COOKIES.replaceAll('; ', ';')}\r\n` },
      { cookies: COOKIES },
      'yyynyy',
    ],
    [
      'with cookies that Connection names',
      { lines: `Cookie: ${COOKIES}\r\nConnection: cookie\r\n` },
      { cookies: COOKIES },
      'yyynyy',
    ],
    [
      'with its Origin',
      { lines: 'Origin: https://a.example\r\n' },
      { fields: 'https://a.example\n\n' },
      'yyyyyy',
    ],
    ['without its Origin', {}, { fields: 'https://a.example\n\n' }, 'yyyyny'],
  ])('%s', async (_what, request, sent, words) => {
    const { vouching } = await ask(toClaim(sent), request)
    expect(vouching?.startsWith(`${NONCE}.${words}.200...`)).toBe(true)
    const signed = vouching?.slice(0, vouching.lastIndexOf('.')) ?? ''
    expect(vouching).toBe(`${signed}.${sign(signed)}`)
  })

  it('says nothing of a real cookie, whatever it claims', async () => {
    const { vouching } = await ask(toClaim({ cookies: 'sid=1' }), { lines: 'Cookie: sid=1\r\n' })
    expect(wordsOf(vouching)).toBe('yyynyy')
  })

  it('says that cookies which the config does not let through do not go on', async () => {
    const scoped = { overrides: { forward: { cookies: 'scoped' } } }
    const { vouching } = await ask(toClaim({ cookies: COOKIES }), { lines: `Cookie: ${COOKIES}\r\n` }, scoped)
    expect(wordsOf(vouching)).toBe('yyynyy')
  })

  it('does not judge a body that is still coming when the response begins', async () => {
    const upstream = await startUpstream(answerOk, { answerAt: 'head' })
    const proxy = await startProxy(upstream.origin)
    const client = await openClient(proxy.port)
    const upload = 'PUT /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n'
    client.write(
      `${upload}Continuation-Point-Check: ${toClaim({ method: 'PUT' })}\r\nContent-Length: 9\r\n\r\nabc`,
    )
    const response = await client.response('PUT')
    expect(wordsOf(valuesOf(response, 'continuation-point-check')[0])).toBe('yyyyy-')
    client.close()
    await proxy.close()
    await upstream.close()
  })

  it('gets digests of the lines that go back, without the values of cookies', async () => {
    const script = answerWith(
      'HTTP/1.1 302 Found\r\nSet-Cookie: sid=secret; Path=/\r\nSet-Cookie: b=; HttpOnly\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n',
    )
    const { vouching } = await ask(toClaim(), {}, { script })
    const lines = [signLine('sid=6; Path=/'), signLine('b=0; HttpOnly')].join()
    expect(vouching?.startsWith(`${NONCE}.yyyyyy.302.${lines}.${signLine('/a')}.`)).toBe(true)
  })

  it('gets no field of this name from the service', async () => {
    const script = answerWith(
      'HTTP/1.1 200 OK\r\nContinuation-Point-Check: forged\r\nContent-Length: 0\r\n\r\n',
    )
    expect((await ask(toClaim(), {}, { script })).vouching).not.toContain('forged')
    await stage?.close()
    expect((await ask(undefined, {}, { script })).vouching).toBeUndefined()
  })

  it('gets none with a refusal, which is not of the service', async () => {
    const { response, vouching } = await ask(toClaim({ path: '/other' }), { path: '/other' })
    expect([response.startLine.split(' ')[1], vouching]).toEqual(['404', undefined])
  })
})

describe('a question without a right proof gets no field', () => {
  it.each([
    ['no claim', undefined],
    ['nothing', ''],
    ['other text', 'a.b.c'],
    ['a proof with another key', toClaim({ widgetKey: 'other' })],
    [
      'a proof for another point',
      toClaim({ pointUrl: 'http://www.example.com/shop/service_cookie_transfer/' }),
    ],
    ['a proof that is cut', toClaim().slice(0, -1)],
    [
      'other digests than those of the proof',
      toClaim()
        .replace('.', '.A')
        .replace(/.(?=\.[^.]*$)/, ''),
    ],
    ['two claims', `${toClaim()}, ${toClaim()}`],
  ])('%s', async (_what, claim) => {
    expect((await ask(claim)).vouching).toBeUndefined()
  })

  it.each(['continuation-point-check', 'Continuation_Point_Check', 'CONTINUATION.POINT-CHECK'])(
    'and %s does not go on either',
    async (name) => {
      const { vouching } = await ask(undefined, { lines: `${name}: ${toClaim().slice(0, 9)}\r\n` })
      expect(vouching).toBeUndefined()
      expect(stage?.upstream.octets.join('')).not.toMatch(/continuation.point.check/i)
    },
  )
})
