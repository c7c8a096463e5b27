import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoAccount } from '../../../src/sandbox/account.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { ask } from '../support/ask.ts'
import { CHECKOUT_URL, ROOT_URL, SCOPES, SITE, START } from './a-session.ts'

const KEY = 'demo-widget-key'
const ROOT = '/service_cookie_transfer/'

let sandbox: Sandbox
let Host: string

beforeAll(async () => {
  const account = demoAccount({
    cookie_transfer_urls: [ROOT_URL, CHECKOUT_URL],
    cookie_transfer_scopes: SCOPES,
    enable_cookie_backtransfer: true,
  })
  sandbox = await startSandbox({
    account,
    authorities: ['cobrowse.shop.localhost', 'app.cobrowse.localhost'],
  })
  Host = `cobrowse.shop.localhost:${sandbox.port}`
})
afterAll(() => sandbox.close())

describe('beginning a session', () => {
  it('answers its page and the points to call, readable for the page', async () => {
    const answer = await begin()
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': SITE,
      'access-control-allow-credentials': 'true',
      'cache-control': 'no-store',
    })
    const { session, ...begun } = JSON.parse(answer.text)
    expect(session).toMatch(/^[0-9a-z]{32}$/)
    expect(begun).toEqual({
      url: `http://${Host}/_widget/sessions/${session}`,
      points: [ROOT_URL, CHECKOUT_URL],
    })
  })

  it('names no point to call while they are off', async () => {
    const options = { cookie_transfer_proxying: false, enable_cookie_backtransfer: true }
    expect(JSON.parse((await begin({ options })).text).points).toEqual([])
  })

  it.each([
    [SITE, 204, SITE],
    ['http://www.other.localhost:8080', 400, undefined],
  ])('answers the preflight of %s with %i', async (Origin, status, allowed) => {
    const headers = {
      Host,
      Origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    }
    const answer = await ask(sandbox.url, '/_widget/sessions', { method: 'OPTIONS', headers })
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBe(allowed)
    expect(answer.headers['access-control-allow-headers']).toBe(allowed && 'content-type')
  })

  it.each([
    ['another key', { widgetKey: 'guessed' }, 403, 'widgetKey'],
    ['a page of nobody', { pageUrl: 'http://www.other.localhost:8080/' }, 403, 'pageUrl'],
    ['no URL', { pageUrl: 'javascript:0' }, 400, 'pageUrl'],
    ['options of another type', { options: { cookie_transfer_proxying: 'yes' } }, 400, 'options'],
    ['cookies without names', { cookies: [{ name: '', value: 'x' }] }, 400, 'cookies'],
    ['entries of no kind', { entries: [{ kind: 'disk', name: 'a', value: 'b' }] }, 400, 'entries'],
    [
      'a step that injects',
      { steps: [{ label: 'x', cookie: 'sid', value: '1; Path=/\r\nX: y' }] },
      400,
      'steps',
    ],
    ['an unknown member', { shell: 'sh' }, 400, 'shell'],
  ])('refuses %s', async (_name, changed, status, member) => {
    const answer = await begin(changed)
    expect(answer.status).toBe(status)
    expect(Object.keys(JSON.parse(answer.text).errors).join()).toMatch(new RegExp(`^${member}`))
  })

  it.each([
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['too much', 'x'.repeat(256 * 1024 + 1), 413],
  ])('refuses a body that is %s', async (_name, body, status) => {
    const answer = await ask(sandbox.url, '/_widget/sessions', { method: 'POST', headers: { Host }, body })
    expect(answer.status).toBe(status)
  })

  it('forgets the oldest of more than a hundred sessions', async () => {
    const first = await beginOne()
    for (let i = 0; i < 100; i += 1) await beginOne()
    expect((await open(first)).status).toBe(404)
    expect((await open(await beginOne())).status).toBe(200)
  })

  it('forgets every session when it is reset', async () => {
    const session = await beginOne()
    await ask(sandbox.url, '/_sandbox/reset', { method: 'POST', headers: { Host } })
    expect((await open(session)).status).toBe(404)
  })

  it('keeps what was carried out of the log of requests', async () => {
    await begin({ cookies: [{ name: 'look', value: 'seen-by-nobody' }] })
    const log = await ask(sandbox.url, '/_sandbox/requests', { headers: { Host } })
    expect(log.text).not.toContain('seen-by-nobody')
  })
})

describe('the calls at a point', () => {
  let session: string
  beforeEach(async () => {
    session = await beginOne()
  })

  it('take the cookies that came along into the session, and tell names only', async () => {
    const answers = [await call('GET', 'init'), await call('POST', 'create'), await call('GET', 'store')]
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200])
    expect(answers.map(({ text }) => JSON.parse(text).widget)).toEqual([
      { call: 'init' },
      { call: 'create' },
      { call: 'store', stored: ['sid', 'basket'] },
    ])
    expect(answers.map(({ text }) => text).join()).not.toContain('secret')
    expect((await open(session)).text).toContain('secret-1')
  })

  it.each([
    ['store', 'GET'],
    ['create', 'POST'],
  ])('come in order: %s does not come first', async (name, method) => {
    const answer = await call(method, name)
    expect([answer.status, refusalOf(answer)]).toEqual([409, `${name} is not what comes next.`])
  })

  it('come once', async () => {
    await call('GET', 'init')
    expect((await call('GET', 'init')).status).toBe(409)
  })

  it.each([
    ['an unknown key', 403, { 'X-Widget-Key': 'guessed' }, 'point=1'],
    ['another origin', 403, { 'X-Continuation-Origin': 'http://pay.shop.localhost:8080' }, 'point=1'],
    ['no point of that number', 404, {}, 'point=2'],
    ['a point of no number', 404, {}, 'point=x'],
    ['an empty number', 404, {}, 'point='],
    ['no point', 404, {}, ''],
  ])('are refused with %s', async (_name, status, fields, query) => {
    const answer = await call('GET', 'init', fields, query)
    expect(answer.status).toBe(status)
    expect(refusalOf(answer)).toEqual(expect.any(String))
  })

  it('are refused for a session that is not there', async () => {
    session = 'gone'
    expect((await call('GET', 'init')).status).toBe(404)
  })

  it.each([
    ['HEAD', 'store', `session=x&point=0`],
    ['POST', 'store', `session=x&point=0`],
    ['GET', 'store', ''],
    ['GET', 'other', `session=x&point=0`],
    ['GET', 'toString', `session=x&point=0`],
  ])('leave %s %s?%s to what arrived', async (method, name, query) => {
    const answer = await ask(sandbox.url, `${ROOT}${name}?${query}`, { method, headers: { Host } })
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('"widget"')
  })

  it('send changed cookies back, readable for the session’s own page', async () => {
    for (const [method, name] of CALLS) await call(method, name)
    await post(`/_widget/sessions/${session}/steps/0`)
    const answer = await call('POST', 'restore', { Origin: `http://${Host}` })
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']).toEqual(['basket=globe; Path=/checkout; HttpOnly; SameSite=Lax'])
    expect(answer.headers['access-control-allow-origin']).toBe(`http://${Host}`)
    expect(JSON.parse(answer.text).widget).toEqual({ call: 'restore', sentBack: ['basket'] })
  })

  it('send nothing back once the session is over', async () => {
    for (const [method, name] of CALLS) await call(method, name)
    await post(`/_widget/sessions/${session}/steps/0`)
    await post(`/_widget/sessions/${session}/end`)
    const answer = await call('POST', 'restore')
    expect([answer.status, answer.headers['set-cookie']]).toEqual([409, undefined])
  })

  it.each([
    ['the service runs elsewhere', {}, 'app.cobrowse.localhost', 'foreign-service'],
    ['it is off', { enable_cookie_backtransfer: false }, 'cobrowse.shop.localhost', 'switched-off'],
  ])('send nothing back while %s', async (_name, off, host, reason) => {
    session = await beginOne({ options: { ...START.options, ...off } }, `${host}:${sandbox.port}`)
    for (const [method, name] of CALLS) await call(method, name)
    await post(`/_widget/sessions/${session}/steps/0`)
    const answer = await call('POST', 'restore')
    expect([answer.status, answer.headers['set-cookie']]).toEqual([409, undefined])
    expect(refusalOf(answer)).toContain(reason)
  })

  function call(
    method: string,
    name: string,
    fields: Readonly<Record<string, string>> = {},
    query = 'point=1',
  ) {
    return ask(sandbox.url, `${ROOT}${name}?session=${session}&${query}`, {
      method,
      headers: {
        Host: `127.0.0.1:${sandbox.port}`,
        'X-Widget-Key': KEY,
        'X-Continuation-Origin': SITE,
        Cookie: 'sid=secret-1; basket=secret-2; look=warm',
        ...fields,
      },
    })
  }
})

describe('the session’s page', () => {
  it('has a policy that lets it ask the points and itself, nobody else', async () => {
    const { headers } = await open(await beginOne())
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`connect-src ${SITE}`)
    expect(policy).toContain("form-action 'self'")
    expect(headers['cache-control']).toBe('no-store')
  })

  it('shows an attack as text', async () => {
    const attack = '<img src=x onerror=alert(1)>'
    const session = await beginOne({
      cookies: [{ name: attack, value: attack }],
      entries: [{ kind: 'localStorage', name: attack, value: attack }],
      steps: [{ label: attack, cookie: attack, value: 'x' }],
      pageUrl: `${SITE}/?${attack}`,
    })
    expect((await open(session)).text).not.toContain('<img')
    await post(`/_widget/sessions/${session}/end`)
    expect((await open(session)).text).not.toContain('<img')
  })

  it.each(['/_widget', '/_widget/', '/_widget/sessions/', '/_widget/sessions/none', '/_widget/other'])(
    'is not at %s',
    async (path) => {
      expect((await ask(sandbox.url, path, { headers: { Host } })).status).toBe(404)
    },
  )

  it('takes a step, and comes back to the table', async () => {
    const session = await beginOne()
    const answer = await post(`/_widget/sessions/${session}/steps/1`)
    expect([answer.status, answer.headers.location]).toEqual([303, `/_widget/sessions/${session}#carried`])
    expect((await open(session)).text).toContain(
      '<span class="fate" data-fate="changed">Changed in the session.',
    )
  })

  it('shows a lost cookie in the colour of failure', async () => {
    const session = await beginOne()
    await post(`/_widget/sessions/${session}/steps/1`)
    await post(`/_widget/sessions/${session}/end`)
    const { text } = await open(session)
    expect(text).toContain('<span class="fate" data-fate="lost">Changed, and ')
    expect(text).toContain('.fate[data-fate="lost"] { color: var(--fail); }')
    expect(text).not.toMatch(/\.fate \{[^}]*color: var\(--(?:accent|pass)\)/)
  })
})

function begin(changed: object = {}, host = Host) {
  return ask(sandbox.url, '/_widget/sessions', {
    method: 'POST',
    headers: { Host: host, Origin: SITE, 'Content-Type': 'application/json' },
    body: JSON.stringify({ widgetKey: KEY, ...START, ...changed }),
  })
}

async function beginOne(changed: object = {}, host = Host): Promise<string> {
  return JSON.parse((await begin(changed, host)).text).session
}

function open(session: string) {
  return ask(sandbox.url, `/_widget/sessions/${session}`, { headers: { Host } })
}

function post(path: string) {
  return ask(sandbox.url, path, { method: 'POST', headers: { Host, 'Content-Length': '0' } })
}

function refusalOf({ text }: { readonly text: string }): unknown {
  return JSON.parse(text).widget.refused
}

const CALLS = [
  ['GET', 'init'],
  ['POST', 'create'],
  ['GET', 'store'],
] as const
