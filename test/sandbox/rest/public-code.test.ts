import { describe, expect, it } from 'vitest'
import { openStandIn } from '../support/stand-in.ts'

const { call } = await openStandIn()
const url = 'https://www.example.com/'
const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
const guide = { name: 'shoppingcart', path: '/cart', domain: 'example.com' }

describe('a call as public code makes it', () => {
  it.each<[string, object, object]>([
    [
      'a boolean in a scope',
      { cookie_transfer_scopes: [{ ...guide, httponly: 'true' }] },
      { cookie_transfer_scopes: [{ ...guide, httponly: true }] },
    ],
    ['a number of the theme', { theme_font_size: '12.5' }, { theme_font_size: 12.5 }],
  ])('may have text for %s', async (_name, body, answered) => {
    const { status, json, headers } = await call('PATCH /company/options/', { body })
    expect([status, headers.warning]).toEqual([200, undefined])
    expect(json).toMatchObject(answered)
  })

  it('may have options that the document lacks, which are kept and named in a Warning', async () => {
    const others = { headless: true, script_embedded: 'yes' }
    const warning = '299 - "The service\'s document has no option headless, script_embedded"'
    for (const what of ['POST /company/options/', 'PATCH /company/options/']) {
      const kept = await call(what, { body: { ...others, hidden: true } })
      expect(kept).toMatchObject({ status: 200, json: { ...others, hidden: true }, headers: { warning } })
    }
    expect((await call('GET /company/options/')).json).toMatchObject(others)
    const started = await call('POST /sessions/', { body: { url, headless: false } })
    expect(started.json.options).toMatchObject({ ...others, headless: false })
    await call('POST /company/options/', { body: {} })
    expect((await call('GET /company/options/')).json).not.toHaveProperty('headless')
  })

  it.each([
    [{ 'a"\r\nb': 1 }, 'a???b'],
    [Object.fromEntries(Array.from({ length: 22 }, (_, n) => [`o${n}`, n])), 'o0, .*, o19, and more'],
  ])('has a Warning that is one short field: %j', async (body, names) => {
    const { headers } = await call('PATCH /company/options/', { body })
    expect(headers.warning).toMatch(new RegExp(`no option ${names.replaceAll('?', '\\?')}"$`))
  })

  it.each<[string, string, unknown, readonly string[]]>([
    ['a url', 'POST /sessions/', 'headless=true', ['url']],
    ['a number', 'POST /sessions/', `url=${url}&agent_id=one`, ['agent_id']],
    ['a boolean', 'PATCH /company/options/', 'hidden=yes', ['hidden']],
    [
      'members that it knows, where no options are taken',
      'POST /agents/access-token/',
      'agent_id=1&x=1',
      ['x'],
    ],
  ])('still needs %s', async (_name, what, body, fields) => {
    const refused = await call(what, { body, ...form })
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([400, fields])
  })
})
