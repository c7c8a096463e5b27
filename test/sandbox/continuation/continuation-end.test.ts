import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import type { Inspected } from '../../../src/sandbox/continuation/verification.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import { type Answer, ask } from '../support/ask.ts'

const ROOT = '/service_cookie_transfer/'
const ORIGIN = 'https://www.example.com'
const account = demoAccount({ cookie_transfer_urls: [`${ORIGIN}${ROOT}`] })
const sandbox = await startSandbox({ account })
afterAll(() => sandbox.close())

const Host = `127.0.0.1:${sandbox.port}`
const askAt = (rest: string, options: Parameters<typeof ask>[2] = {}) =>
  ask(sandbox.url, ROOT + rest, options)
const FIELDS = { 'X-Widget-Key': 'demo-widget-key', 'X-Continuation-Origin': ORIGIN }

describe('what arrived, as JSON', () => {
  it('answers HEAD without a body and shows the method in a field', async () => {
    const answer = await askAt('x', { method: 'HEAD' })
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['stand-in-method']).toBe('HEAD')
  })

  it('lists every field line in order, with repetition and the octets of its value', async () => {
    const headers = ['Host', Host, 'X-b', '12', 'x-A', '', 'X-b', '\u00e9', 'X-Continuation-Origin', ORIGIN]
    const { received } = json(await askAt('x', { headers }))
    expect(received.fields.slice(0, 5)).toEqual([
      { name: 'Host', octets: Host.length },
      { name: 'X-b', octets: 2 },
      { name: 'x-A', octets: 0 },
      { name: 'X-b', octets: 1 },
      { name: 'X-Continuation-Origin', octets: ORIGIN.length },
    ])
    expect(received.continuationOrigins).toEqual([ORIGIN])
  })

  it('measures cookies and Cookie lines and shows no value', async () => {
    const headers = ['Host', Host, 'Cookie', 'sid=secret; flag; =odd', 'Cookie', `big=${'x'.repeat(32_768)}`]
    const answer = await askAt('x', { headers })
    expect(json(answer).received).toMatchObject({
      cookies: [
        { name: 'sid', octets: 6 },
        { name: '', octets: 4 },
        { name: '', octets: 3 },
        { name: 'big', octets: 32_768 },
      ],
      cookieLineOctets: [22, 32_772],
    })
    expect(answer.text).not.toContain('secret')
  })

  it.each([
    ['known', ['X-Widget-Key', 'demo-widget-key'], { lines: 1, known: true }],
    ['unknown', ['X-Widget-Key', 'guessed-key'], { lines: 1, known: false }],
    ['twice', ['X-Widget-Key', 'demo-widget-key', 'x-widget-key', 'guessed-key'], { lines: 2, known: false }],
    ['absent', [], { lines: 0, known: false }],
  ])('shows of a widget key only whether it is known: %s', async (_name, fields, widgetKey) => {
    const answer = await askAt('x', { headers: ['Host', Host, ...fields] })
    expect(json(answer).received.widgetKey).toEqual(widgetKey)
    expect(answer.text).not.toMatch(/demo-widget-key|guessed-key/)
  })

  it('shows the length and digest of a body', async () => {
    const body = Buffer.from([0, 255, 10, 13])
    const { received } = json(await askAt('create', { method: 'POST', body }))
    expect(received.body).toEqual({ octets: 4, sha256: createHash('sha256').update(body).digest('hex') })
  })

  it('judges the four checks and lists the URLs to compare with', async () => {
    const answer = json(await askAt('', { headers: { ...FIELDS, Accept: 'application/json' } }))
    expect([answer.standIn, answer.listedUrls]).toEqual([1, [`${ORIGIN}${ROOT}`]])
    expect(answer.checks.map(({ check, outcome }) => `${check} ${outcome}`)).toEqual([
      'forwarded pass',
      'origin pass',
      'widget-key pass',
      'allowed pass',
    ])
  })

  it('accepts thousands of fields', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => [`X-Many-${i}`, String(i)]).flat()
    const { received } = json(await askAt('x', { headers: ['Host', Host, ...many] }))
    expect(received.fields.filter(({ name }) => name.startsWith('X-Many-'))).toHaveLength(5000)
  })
})

it('refuses a body over 10 MiB with 413', async () => {
  const limit = 10 * 1024 * 1024
  const refused = await askAt('create', { method: 'POST', body: Buffer.alloc(limit + 1) })
  expect(refused.status).toBe(413)
  expect(JSON.parse(refused.text)).toEqual({ standIn: 1, error: 'body-too-large', limitOctets: limit })
  const taken = await askAt('create', { method: 'POST', body: Buffer.alloc(limit) })
  expect(json(taken).received.body.octets).toBe(limit)
})

it('survives a sender that leaves in the middle of a body', async () => {
  const socket = connect(sandbox.port, '127.0.0.1')
  const half = `POST ${ROOT} HTTP/1.1\r\nHost: ${Host}\r\nContent-Length: 9\r\n\r\nhalf`
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(half, () => socket.destroy())
  await closed
  expect((await askAt('x')).status).toBe(200)
})

describe('test resources', () => {
  it('redirect stays on the requested authority and sets two cookies', async () => {
    const headers = { Host: `localhost:${sandbox.port}` }
    const answer = await askAt('_stand-in/redirect', { headers })
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toBe(`http://localhost:${sandbox.port}${ROOT}_stand-in/arrived`)
    expect(answer.headers['set-cookie']).toHaveLength(2)
  })

  it('set-cookie sends its lines apart and in order', async () => {
    const { headers } = await askAt('_stand-in/set-cookie')
    expect(headers['set-cookie']).toEqual([
      'stand_in_root=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=60',
      'stand_in_dated=2; Path=/; Expires=Fri, 31 Dec 2049 23:59:59 GMT; Max-Age=60',
      'stand_in_twice=3; Path=/; Max-Age=60',
      'stand_in_twice=4; Path=/checkout; Max-Age=60',
      'stand_in_domain=5; Domain=127.0.0.1; Path=/; Max-Age=60',
    ])
  })

  it('nonce differs each time, without Cache-Control', async () => {
    const [one, two] = [await askAt('_stand-in/nonce'), await askAt('_stand-in/nonce')]
    expect(one.headers['cache-control']).toBeUndefined()
    expect(json(one).nonce).toMatch(/^[0-9a-f-]{36}$/)
    expect(json(one).nonce).not.toBe(json(two).nonce)
    expect(json(one).received.target).toBe(`${ROOT}_stand-in/nonce`)
  })
})

describe('a page of the account', () => {
  const READABLE = { 'access-control-allow-origin': ORIGIN, 'access-control-allow-credentials': 'true' }
  const preflight = {
    Origin: ORIGIN,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type, x-own',
  }

  it('may read the answer with credentials', async () => {
    const { headers } = await askAt('store', { headers: { Origin: ORIGIN } })
    expect(headers).toMatchObject({ ...READABLE, vary: 'Origin' })
  })

  it('gets its preflight answered', async () => {
    const answer = await askAt('create', { method: 'OPTIONS', headers: preflight })
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer.headers).toMatchObject({
      ...READABLE,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': 'content-type, x-own',
      vary: 'Origin',
    })
  })

  it.each(['http://www.example.com', 'https://evil.example', 'null'])(
    'another one, %s, gets no such field',
    async (Origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await askAt('create', { method, headers: { ...preflight, Origin } })
        expect(answer.status).toBe(200)
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
        expect(answer.headers.vary).toBe('Origin')
      }
    },
  )
})

describe('the verification page', () => {
  it.each([
    ['no Accept', undefined, 'text/html'],
    ['a browser', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['anything', '*/*', 'text/html'],
    ['both', 'application/json, text/html', 'text/html'],
    ['JSON', 'application/json', 'application/json'],
  ])('requested by %s', async (_name, accept, type) => {
    const headers = accept === undefined ? {} : { Accept: accept }
    const answer = await askAt('?from=test', { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toContain(type)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('loads nothing from outside', async () => {
    const answer = await askAt('')
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'nonce-(\S+)'; script-src 'nonce-\1'; img-src data:;/,
    )
    expect(answer.text).not.toMatch(/(?:src|href)="(?!data:)/)
  })

  it('shows every value escaped', async () => {
    const evil = '</script><img src=x onerror=alert(1)>"\''
    const answer = await askAt(`?${encodeURIComponent('<i>')}<i>`, {
      headers: {
        'X-Continuation-Origin': evil,
        'X-Widget-Key': evil,
        Cookie: `${evil}=1`,
        Accept: 'text/html',
      },
    })
    expect(answer.status).toBe(200)
    expect(answer.text).not.toMatch(/<img|<i>/)
    expect(answer.text.match(/<\/script>/g)).toHaveLength(2)
  })
})

type StandInAnswer = Inspected & { readonly standIn: number; readonly nonce?: string }

function json(answer: Answer): StandInAnswer {
  return JSON.parse(answer.text)
}
