import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { digestLine, NONCE, type Sent, toClaim } from '../support/claim.ts'
import { answerWith, type Script } from '../support/recording-upstream.ts'
import { openRecordedApp, POINT } from './support/recorded-app.ts'

/** Asks the app, and returns the field of its response. */
async function ask(
  claim: string | undefined,
  { path = '', ...init }: RequestInit & { path?: string } = {},
  script?: Script,
): Promise<string | null> {
  const { app, service } = await openRecordedApp(script)
  const headers = new Headers(init.headers)
  if (claim !== undefined) headers.set('Continuation-Point-Check', claim)
  const response = await app.request(`${POINT}${path}`, { ...init, headers })
  expect(service.octets.join('').toLowerCase()).not.toContain('continuation-point-check')
  return response.headers.get('continuation-point-check')
}

const path = '/service_cookie_transfer/'
const cookies = 'continuation_point_check=1; continuation_point_check=22'

describe('the edge vouches as serve does', () => {
  it.each<[string, Parameters<typeof ask>[1], Sent, string]>([
    ['for what is as claimed', {}, {}, 'yyyyyyy'],
    ['for a path and a query', { path: 'a%2Fb?c=%41' }, { path: `${path}a%2Fb`, query: '?c=%41' }, 'yyyyyyy'],
    ['for a body', { method: 'PUT', body: 'abc' }, { method: 'PUT', body: 'abc' }, 'yyyyyyy'],
    ['for cookies', { headers: { Cookie: `lb=1; ${cookies}` } }, { cookies }, 'yyyyyyy'],
    ['not for another body', { method: 'PUT', body: 'abC' }, { method: 'PUT', body: 'abc' }, 'yyyyyyn'],
    [
      'not for all else',
      { method: 'POST', path: 'a' },
      { query: '?', cookies, fields: 'a\n\n', key: 'a' },
      'nnnnnny',
    ],
  ])('%s', async (_what, request, sent, words) => {
    const vouching = await ask(toClaim({ key: 'edge-key', ...sent }), request)
    expect(vouching).toBe(`${NONCE}.${words}.200..`)
  })

  it('for few of many large bodies at a time, and then again', async () => {
    const body = 'x'.repeat(2 ** 21)
    const claim = toClaim({ method: 'PUT', body, key: 'edge-key' })
    const put = () => ask(claim, { method: 'PUT', body })
    const some = await Promise.all(Array.from({ length: 20 }, put))
    expect(some.filter((vouching) => vouching?.includes('.yyyyyyy.')).length).toBeGreaterThan(0)
    expect(some.filter((vouching) => !/\.yyyyyy[y-]\./.test(vouching ?? ''))).toEqual([])
    expect(await put()).toContain('.yyyyyyy.')
  })

  // Workers decode fields as UTF-8; what counts is octets.
  it.each([
    ['Deno', '\xe9=1'],
    ['WebSocketPair', '\xc3\xa9=2'],
  ])('for the lines that go back, in a runtime with %s', async (name, second) => {
    vi.stubGlobal(name, {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const script = answerWith(
      'HTTP/1.1 302 Found\r\nSet-Cookie: sid=secret; Path=/\r\nSet-Cookie: \xe9=\xe9\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n',
    )
    const [one, two, location] = ['sid=6; Path=/', second, '/a'].map(digestLine)
    expect(await ask(toClaim(), {}, script)).toContain(`.302.${one},${two}.${location}`)
  })

  it.each([
    ['without a claim', undefined],
    ['with other text', 'a.b'],
  ])('and not %s', async (_what, claim) => {
    expect(await ask(claim)).toBeNull()
  })
})
