import { describe, expect, it } from 'vitest'
import { digestLine, NONCE, type Sent, toClaim } from '../support/claim.ts'
import { openForTest } from '../support/open-for-test.ts'
import { answerOk, answerWith } from '../support/recording-upstream.ts'
import { openStage } from '../support/stage.ts'
import { valuesOf } from '../support/wire.ts'

/** Sends one request with a claim, and returns both sides of it. */
async function ask(
  claim: string | undefined,
  { method = 'GET', path = '/service_cookie_transfer/', lines = '', rest = '\r\n' } = {},
  ...options: Parameters<typeof openStage>
) {
  const stage = await openForTest(openStage(...options))
  const own = claim === undefined ? '' : `Continuation-Point-Check: ${claim}\r\n`
  const client = await stage.ask(
    `${method} ${path} HTTP/1.1\r\nHost: www.example.com\r\n${own}${lines}${rest}`,
  )
  const response = await client.response(method)
  const seen = stage.upstream.octets.join('')
  expect(seen.toLowerCase()).not.toContain('continuation-point-check')
  const [vouching, ...others] = valuesOf(response, 'continuation-point-check')
  expect(others).toEqual([])
  return { response, vouching, seen }
}

/** The words for method, path, query, cookies, fields and body. */
function wordsOf(vouching: string | undefined): string | undefined {
  return vouching?.split('.')[1]
}

const MARK = 'continuation_point_check'
const COOKIES = `${MARK}=1; ${MARK}=22; ${MARK}=`
const ORIGIN = 'https://a.example'
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n'

describe('a question', () => {
  const put = (body: string) => ({ method: 'PUT', rest: `Content-Length: 3\r\n\r\n${body}` })
  const carrying = (cookies: string) => ({ lines: `Cookie: ${cookies}\r\n` })
  const claimed = { cookies: COOKIES }
  const other = { path: '/service_cookie_transfer/a/b' }

  it.each<[string, Parameters<typeof ask>[1], Sent, string]>([
    ['that is as claimed', {}, {}, 'yyyyyyy'],
    ['with another method', { method: 'POST', rest: 'Content-Length: 0\r\n\r\n' }, {}, 'nyyyyyy'],
    ['with another path', other, { path: '/service_cookie_transfer/a%2Fb' }, 'ynyyyyy'],
    ['with the same query', { path: '/service_cookie_transfer/?a=%41' }, { query: '?a=%41' }, 'yyyyyyy'],
    ['without its query', {}, { query: '?a=1' }, 'yynyyyy'],
    ['with the same body', put('abc'), { method: 'PUT', body: 'abc' }, 'yyyyyyy'],
    ['in chunks', { method: 'PUT', rest: CHUNKED }, { method: 'PUT', body: 'abc' }, 'yyyyyyy'],
    ['with another body', put('abC'), { method: 'PUT', body: 'abc' }, 'yyyyyyn'],
    ['with the same cookies', carrying(COOKIES), claimed, 'yyyyyyy'],
    ['with cookies of others around them', carrying(`lb=1; ${COOKIES}; sid=2`), claimed, 'yyyyyyy'],
    ['with marked values', carrying(`sid=${MARK}1`), { cookies: `sid=${MARK}1` }, 'yyyyyyy'],
    ['without its cookies', {}, claimed, 'yyynyyy'],
    ['with another order', carrying(COOKIES.split('; ').reverse().join('; ')), claimed, 'yyynyyy'],
    ['with two Cookie lines', carrying(COOKIES.replace('; ', '\r\nCookie: ')), claimed, 'yyynyyy'],
    ['with cookies without blanks', carrying(COOKIES.replaceAll('; ', ';')), claimed, 'yyynyyy'],
    ['where Connection names Cookie', carrying(`${COOKIES}\r\nConnection: cookie`), claimed, 'yyynyyy'],
    ['with its Origin', { lines: `Origin: ${ORIGIN}\r\n` }, { fields: `${ORIGIN}\n\n` }, 'yyyyyyy'],
    ['without its Origin', {}, { fields: `${ORIGIN}\n\n` }, 'yyyynyy'],
  ])('%s', async (_what, request, sent, words) => {
    const { vouching } = await ask(toClaim(sent), request)
    expect(vouching).toBe(`${NONCE}.${words}.200..`)
  })

  it('says whether its widget key goes on', async () => {
    const { vouching } = await ask(toClaim(), {}, { widgetKey: 'other' })
    expect(wordsOf(vouching)).toBe('yyyyyny')
  })

  it('says nothing of a real cookie, whatever it claims', async () => {
    const { vouching } = await ask(toClaim({ cookies: 'sid=1' }), { lines: 'Cookie: sid=1\r\n' })
    expect(wordsOf(vouching)).toBe('yyynyyy')
  })

  it('says that cookies which the config does not let through do not go on', async () => {
    const scoped = { forward: { cookies: 'scoped' } }
    const { vouching } = await ask(toClaim({ cookies: COOKIES }), { lines: `Cookie: ${COOKIES}\r\n` }, scoped)
    expect(wordsOf(vouching)).toBe('yyynyyy')
  })

  it('does not judge a body that is still coming when the response begins', async () => {
    const upload = { method: 'PUT', rest: 'Content-Length: 9\r\n\r\nabc' }
    const { vouching } = await ask(toClaim({ method: 'PUT' }), upload, {}, answerOk, { answerAt: 'head' })
    expect(wordsOf(vouching)).toBe('yyyyyy-')
  })

  it('gets digests of the lines that go back, without the values of cookies', async () => {
    const script = answerWith(
      'HTTP/1.1 302 Found\r\nSet-Cookie: sid=secret; Path=/\r\nSet-Cookie: b=; HttpOnly\r\nSet-Cookie: secret; a=b\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n',
    )
    const { vouching } = await ask(toClaim(), {}, {}, script)
    const lines = ['sid=6; Path=/', 'b=0; HttpOnly', '6; a=b'].map(digestLine).join()
    expect(vouching).toBe(`${NONCE}.yyyyyyy.302.${lines}.${digestLine('/a')}`)
  })

  it('gets no field of this name from the service', async () => {
    const script = answerWith(
      'HTTP/1.1 200 OK\r\nContinuation-Point-Check: forged\r\nContent-Length: 0\r\n\r\n',
    )
    expect((await ask(toClaim(), {}, {}, script)).vouching).not.toContain('forged')
    expect((await ask(undefined, {}, {}, script)).vouching).toBeUndefined()
  })

  it('gets none with a refusal, which is not of the service', async () => {
    const { response, vouching } = await ask(toClaim({ path: '/other' }), { path: '/other' })
    expect([response.startLine.split(' ')[1], vouching]).toEqual(['404', undefined])
  })
})

describe('a question without a claim gets no field', () => {
  it.each([
    ['no claim', undefined],
    ['nothing', ''],
    ['other text', 'a.b.c'],
    ['a claim that is cut', toClaim().slice(0, -1)],
    ['two claims', `${toClaim()}, ${toClaim()}`],
  ])('%s', async (_what, claim) => {
    expect((await ask(claim)).vouching).toBeUndefined()
  })

  it.each(['continuation-point-check', 'Continuation_Point_Check', 'CONTINUATION.POINT-CHECK'])(
    'and %s does not go on either',
    async (name) => {
      const { vouching, seen } = await ask(undefined, { lines: `${name}: ${toClaim().slice(0, 9)}\r\n` })
      expect(vouching).toBeUndefined()
      expect(seen).not.toMatch(/continuation.point.check/i)
    },
  )
})
