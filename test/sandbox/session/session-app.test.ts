import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import { CHECKOUT_URL, ROOT_URL, SETTINGS, SITE, START } from '../state/a-visit.ts'
import { ask } from '../support/ask.ts'
import { type Started, visitorOf } from '../support/visitor.ts'

const ROOT = '/service_cookie_transfer/'
const sandbox = await startSandbox({
  account: demoAccount(SETTINGS),
  authorities: ['cobrowse.shop.localhost', 'app.cobrowse.localhost'],
  findPage: (startUrl) =>
    startUrl === `${SITE}/`
      ? { url: `${SITE}/checkout`, open: async (cookie) => `the page with ${cookie}` }
      : undefined,
})
afterAll(() => sandbox.close())
const Host = `cobrowse.shop.localhost:${sandbox.port}`
const { open, press, ...visitor } = visitorOf(sandbox.url, START)
const begin = (changed: object = {}) => visitor.begin(changed, Host)
const start = (changed: object = {}, host = Host) => visitor.start(changed, host)
const windowOf = ({ url }: Started) => new URL(url).pathname

describe('a widget that starts a session', () => {
  it('gets its page and the points to call, readable for the page', async () => {
    const answer = await begin()
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': SITE,
      'access-control-allow-credentials': 'true',
      'cache-control': 'no-store',
    })
    const { session, ...started } = JSON.parse(answer.text)
    expect(session).toMatch(/^[0-9a-z]{32}$/)
    expect(started).toEqual({
      formatted_id: expect.stringMatching(/^\d{3}-\d{3}-\d{3}$/),
      pin: expect.stringMatching(/^\d{4}$/),
      queued: true,
      leader_link: `http://${Host}/session/${session}/leader`,
      follower_link: `http://${Host}/session/${session}/follower`,
      url: expect.stringMatching(new RegExp(`^http://${Host}/session/${session}/windows/[0-9a-z]{32}$`)),
      points: [ROOT_URL, CHECKOUT_URL],
    })
  })

  it.each([
    ['another key', { widgetKey: 'guessed' }, 403, 'widgetKey'],
    ['a page that is not the one that asks', { pageUrl: 'http://www.other.localhost:8080/' }, 403, 'pageUrl'],
    ['no URL', { pageUrl: 'javascript:0' }, 400, 'pageUrl'],
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

  it('keeps transferred values out of the log of requests', async () => {
    await begin({ cookies: [{ name: 'look', value: 'seen-by-nobody' }] })
    expect((await open('/_sandbox/requests')).text).not.toContain('seen-by-nobody')
  })
})

describe('the calls at a point', () => {
  let session: string
  let started: Started
  beforeEach(async () => {
    started = await start()
    session = started.session
  })

  it('take the cookies that arrived into the session, and show names only', async () => {
    const [first, again] = [await call('GET', 'store'), await call('GET', 'store')]
    expect([first.status, JSON.parse(first.text).widget]).toEqual([200, { stored: ['sid', 'basket'] }])
    expect([again.status, JSON.parse(again.text).widget]).toEqual([200, { stored: [] }])
    expect(first.text).not.toContain('secret')
    expect((await open(started.url)).text).toContain('secret-1')
  })

  it('show the page with what they brought, and without it', async () => {
    const only = await view('widget')
    expect((await open(started.url)).text).toContain('<h2>Without them</h2>')
    await call('GET', 'store')
    const { text, headers } = await open(started.url)
    expect([...text.matchAll(/<iframe src="([^"]+)"/g)].map(([, src]) => src)).toEqual(
      ['session', 'widget'].map((name) => `${windowOf(started)}/views/${name}`),
    )
    expect(headers['content-security-policy']).toContain("frame-src 'self'")
    const all = await view('session')
    expect(all.text).toBe('the page with basket=secret-2; sid=secret-1; look=warm')
    expect(all.headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*sandbox; frame-ancestors 'self'$/,
    )
    expect(new Set([only.text, (await view('widget')).text])).toEqual(new Set(['the page with look=warm']))
    expect((await view('toString')).status).toBe(404)
  })

  it('have no page to show of a site that is not at hand', async () => {
    started = await start({ pageUrl: `${SITE}/elsewhere` })
    expect((await open(started.url)).text).not.toContain('<iframe')
    expect((await view('widget')).status).toBe(404)
  })

  it('store nothing once the session is over', async () => {
    await press(`${windowOf(started)}/end`)
    const answer = await call('GET', 'store')
    expect([answer.status, refusalOf(answer)]).toEqual([409, 'The session is over.'])
  })

  it.each([
    ['an unknown key', 403, { 'X-Widget-Key': 'guessed' }, 'point=1'],
    ['another origin', 403, { 'X-Continuation-Origin': 'http://pay.shop.localhost:8080' }, 'point=1'],
    ['no point with that number', 404, {}, 'point=2'],
    ['no point', 404, {}, ''],
  ])('are refused with %s', async (_name, status, fields, query) => {
    const answer = await call('GET', 'store', fields, query)
    expect(answer.status).toBe(status)
    expect(refusalOf(answer)).toEqual(expect.any(String))
  })

  it('are refused for a session that is not there', async () => {
    session = 'gone'
    expect((await call('GET', 'store')).status).toBe(404)
  })

  it('send nothing back to a service that runs elsewhere, and say why', async () => {
    started = await start({}, `app.cobrowse.localhost:${sandbox.port}`)
    session = started.session
    await call('GET', 'store')
    await press(`${windowOf(started)}/steps/0`)
    await press(`${windowOf(started)}/end`)
    const answer = await call('POST', 'restore')
    expect([answer.status, answer.headers['set-cookie']]).toEqual([409, undefined])
    expect(refusalOf(answer)).toContain('app.cobrowse.localhost, which is not under shop.localhost')
  })

  function view(name: string) {
    return open(`${windowOf(started)}/views/${name}`)
  }

  function call(method: string, name: string, fields: object = {}, query = 'point=1') {
    return ask(sandbox.url, `${ROOT}${name}?session=${session}&${query}`, {
      method,
      headers: {
        'X-Widget-Key': 'demo-widget-key',
        'X-Continuation-Origin': SITE,
        Cookie: 'sid=secret-1; basket=secret-2; look=warm',
        ...fields,
      },
    })
  }
})

describe('a window of a session', () => {
  it('has a policy that lets it call only the points and itself', async () => {
    const { headers } = await open((await start()).url)
    const policy = String(headers['content-security-policy']).split('; ')
    for (const rule of ["default-src 'none'", `connect-src 'self' ${SITE}`, "form-action 'self'"])
      expect(policy).toContain(rule)
    expect(headers['cache-control']).toBe('no-store')
  })

  it('shows an attack as text', async () => {
    const attack = '<img src=x onerror=alert(1)>'
    const started = await start({
      cookies: [{ name: attack, value: attack }],
      entries: [{ kind: 'localStorage', name: attack, value: attack }],
      steps: [{ label: attack, cookie: attack, value: 'x' }],
      pageUrl: `${SITE}/?<img/src=x>`,
    })
    const running = await open(started.url)
    expect(running.text).toContain('&lt;img')
    expect(running.text).not.toContain('<img')
    await press(`${windowOf(started)}/end`)
    expect((await open(started.url)).text).not.toContain('<img')
  })

  it.each([
    '/_widget',
    '/_widget/',
    '/_widget/sessions/',
    '/_widget/other',
    '/session/none/windows/none',
    '/session/none/windows/none/state',
  ])('is not at %s', async (path) => {
    expect((await open(path)).status).toBe(404)
  })

  it('is not at a guessed name', async () => {
    const window = windowOf(await start())
    const guessed = window.replace(/[^/]+$/, 'leader')
    expect((await open(guessed)).status).toBe(404)
    expect((await press(`${guessed}/end`)).status).toBe(404)
    expect((await open(window)).text).toContain('id="end"')
  })

  it('changes its state value once the page would differ, and not before', async () => {
    const window = windowOf(await start())
    const stamp = async () => (await open(`${window}/state`)).text
    const first = await stamp()
    await open(window)
    expect(await stamp()).toBe(first)
    const step = await press(`${window}/steps/1`)
    expect([step.status, step.headers.location]).toEqual([303, window])
    const second = await stamp()
    await press(`${window}/end`)
    expect(new Set([first, second, await stamp()]).size).toBe(3)
  })
})

function refusalOf({ text }: { readonly text: string }): unknown {
  return JSON.parse(text).widget.refused
}
