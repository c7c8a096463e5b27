import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { ask } from '../support/ask.ts'
import { callsOf } from '../support/call.ts'
import { openStandIn } from '../support/stand-in.ts'

const seed = {
  plan: 'small',
  plans: { small: { videochat: false, sounds_enabled: false } },
  settings: { white_label: true },
} as const
const { sandbox, call } = await openStandIn({ seed })

const scope = { name: 'sid', domain: '.example.com', path: '/', httponly: true }
const point = 'https://www.example.com/service_cookie_transfer/'

describe('the default options', () => {
  it('come with the limits of the plan applied, under the names of both sets', async () => {
    await call('PATCH /company/options/', { body: { videochat: true, hide_cursors: true } })
    expect((await call('GET /company/options/')).json).toMatchObject({
      videochat: false,
      enable_sounds: false,
      sounds_enabled: false,
      white_label: true,
      hide_cursors: true,
      show_cursors: false,
      allowlist: '[]',
      theme_font_size: 14,
    })
  })

  it('can be read with the widget key, but not changed', async () => {
    const key = 'demo-widget-key'
    const { json } = await call('GET /company/options/')
    expect((await call('GET /company/options/', { key })).json).toEqual(json)
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      expect((await call(`${method} /company/options/`, { key, body: {} })).status).toBe(401)
    }
    expect((await call('GET /sessions/', { key })).status).toBe(401)
  })

  it('are replaced by POST, which resets what is missing', async () => {
    await call('PATCH /company/options/', { body: { start_muted: true } })
    const replaced = await call('POST /company/options/', { body: { ui_off: true, videochat: true } })
    const kept = { ui_off: true, start_muted: false, white_label: false, cookie_transfer_proxying: false }
    expect(replaced).toMatchObject({ status: 200, json: { ...kept, videochat: true } })
    expect((await call('GET /company/options/')).json).toMatchObject({ ...kept, videochat: false })
  })

  it('are changed by PATCH where it says so, a name of the other set included', async () => {
    await call('PATCH /company/options/', { body: { ui_off: true, start_muted: true } })
    const changed = await call('PATCH /company/options/', { body: { hide_session_ui: false } })
    const kept = { ui_off: false, hide_session_ui: false, start_muted: true, white_label: true }
    expect(changed).toMatchObject({ status: 200, json: kept })
    expect((await call('GET /company/options/')).json).toMatchObject(kept)
    expect((await call('PATCH /company/options/')).json).toEqual(changed.json)
  })

  it('are reset by DELETE, which answers without content', async () => {
    expect(await call('DELETE /company/options/')).toMatchObject({ status: 200, text: '' })
    expect((await call('GET /company/options/')).json).toMatchObject({
      white_label: false,
      cookie_transfer_enabled: true,
      cookie_transfer_proxying: false,
      cookie_transfer_urls: [],
      enable_cookie_backtransfer: false,
    })
  })

  it('of a fresh account are those after DELETE', async () => {
    const fresh = await startSandbox()
    const calls = callsOf(fresh.url)
    const before = (await calls('GET /company/options/')).json
    await calls('DELETE /company/options/')
    expect((await calls('GET /company/options/')).json).toEqual(before)
    await fresh.close()
  })

  it('can be sent back unchanged', async () => {
    const { json } = await call('GET /company/options/')
    expect((await call('POST /company/options/', { body: json })).json).toEqual(json)
  })

  it('are those of new sessions, limits of the plan included', async () => {
    await call('PATCH /company/options/', { body: { start_muted: true, videochat: true } })
    const body = { url: 'https://www.example.com/', enable_sounds: true, hidden: true }
    expect((await call('POST /sessions/', { body })).json.options).toMatchObject({
      start_muted: true,
      hidden: true,
      videochat: false,
      enable_sounds: false,
    })
  })

  it('decide what the verification page shows', async () => {
    const fields = {
      Accept: 'application/json',
      'X-Widget-Key': 'demo-widget-key',
      'X-Continuation-Origin': 'https://www.example.com',
    }
    const outcomes = async () => {
      const { text } = await ask(sandbox.url, '/service_cookie_transfer/', { headers: fields })
      return JSON.parse(text).checks.map(({ outcome }: { outcome: string }) => outcome)
    }
    expect(await outcomes()).toEqual(['pass', 'pass', 'pass', 'fail'])
    const body = { cookie_transfer_urls: [point], cookie_transfer_scopes: [scope] }
    expect((await call('PATCH /company/options/', { body })).json).toMatchObject(body)
    expect(await outcomes()).toEqual(['pass', 'pass', 'pass', 'pass'])
  })

  it.each([
    [{ ui_off: 1 }, ['ui_off']],
    [{ ui_off: null }, ['ui_off']],
    [{ uioff: true }, ['uioff']],
    [{ theme_font_size: '14' }, ['theme_font_size']],
    [{ position: 5 }, ['position']],
    [{ allowlist: ['a'] }, ['allowlist']],
    [{ allowlist: '{}' }, ['allowlist']],
    [{ widget_key: 5 }, ['widget_key']],
    [{ cookie_transfer_urls: 'x' }, ['cookie_transfer_urls']],
    [{ cookie_transfer_urls: [point, '/relative'] }, ['cookie_transfer_urls']],
    [{ cookie_transfer_scopes: [{ ...scope, httponly: 'yes' }] }, ['cookie_transfer_scopes']],
    [{ cookie_transfer_scopes: [{ name: 'sid' }] }, ['cookie_transfer_scopes']],
    [{ cookie_transfer_scopes: [{ ...scope, secure: true }] }, ['cookie_transfer_scopes']],
    [{ start_muted: true, show_cursors: true, hide_cursors: true }, ['hide_cursors']],
    ['[]', ['body']],
  ])('refuse %j and stay as they are', async (body, fields) => {
    const before = (await call('GET /company/options/')).json
    for (const method of ['POST', 'PATCH']) {
      const refused = await call(`${method} /company/options/`, { body })
      expect(refused.status).toBe(400)
      expect(Object.keys(refused.json.errors)).toEqual(fields)
    }
    expect((await call('GET /company/options/')).json).toEqual(before)
  })

  it('name the place within a field', async () => {
    const body = { cookie_transfer_scopes: [scope, { ...scope, path: 5 }] }
    const { json } = await call('PATCH /company/options/', { body })
    expect(json.errors).toEqual({ cookie_transfer_scopes: ['1/path must be a string.'] })
  })

  it.each([
    ['a', ['ui_off'], ['hide_session_ui']],
    ['b', ['hide_session_ui'], ['ui_off']],
    ['both', ['hide_session_ui', 'ui_off'], []],
  ] as const)('are returned in the naming set %s if the seed says so', async (optionNames, there, absent) => {
    const other = await startSandbox({ seed: { optionNames } })
    const { json } = await callsOf(other.url)('PATCH /company/options/', { body: { ui_off: true } })
    for (const name of there) expect(json[name]).toBe(true)
    for (const name of absent) expect(json).not.toHaveProperty(name)
    expect(json.white_label).toBe(false)
    await other.close()
  })
})
