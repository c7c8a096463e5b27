import { describe, expect, it } from 'vitest'
import { refuseControl } from '../../../src/sandbox/control/refuse-control.ts'
import { ask } from '../support/ask.ts'
import { openStandIn } from '../support/stand-in.ts'

const { sandbox, call } = await openStandIn()
const Host = new URL(sandbox.url).host
const freeze = { method: 'POST', body: '{"frozen":true}' } as const
const json = { 'Content-Type': 'application/json' }

async function isFrozen(): Promise<boolean> {
  return (await call('GET /_sandbox/clock')).json.frozen
}

describe('the controls', () => {
  it.each<[string, Readonly<Record<string, string | string[]>>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another origin of this site', { 'Sec-Fetch-Site': 'same-site' }],
    ['an unknown relation', { 'Sec-Fetch-Site': 'elsewhere' }],
    ['two relations', { 'Sec-Fetch-Site': ['same-origin', 'cross-site'] }],
    ['a foreign Origin', { Origin: 'http://www.example.com' }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
    ['another name of this machine', { Origin: sandbox.url.replace('127.0.0.1', 'localhost') }],
    ['https', { Origin: sandbox.url.replace('http:', 'https:') }],
    ['an opaque origin', { Origin: 'null' }],
    ['two origins', { Origin: [sandbox.url, sandbox.url] }],
    ['another site that says so twice', { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://www.example.com' }],
  ])('refuse a page of %s, even for reading', async (_name, fields) => {
    const headers = { Host, ...json, ...fields }
    const refused = await ask(sandbox.url, '/_sandbox/clock', { ...freeze, headers })
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.text)).toEqual({ errors: { origin: [expect.any(String)] } })
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
    const read = await ask(sandbox.url, '/_sandbox/requests', { headers: { Host, ...fields } })
    expect(read.status).toBe(403)
    expect(await isFrozen()).toBe(false)
  })

  it.each([
    ['no page at all', {}],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['a page of its own', { 'Sec-Fetch-Site': 'same-origin', Origin: sandbox.url }],
  ])('answer %s', async (_name, fields) => {
    const headers = { Host, ...json, ...fields }
    expect((await ask(sandbox.url, '/_sandbox/clock', { ...freeze, headers })).status).toBe(200)
    expect(await isFrozen()).toBe(true)
  })

  it.each([
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'Content-Type': 'text/plain' }],
    ['JSON only at its beginning', { 'Content-Type': 'application/jsonp' }],
    ['no type', {}],
  ])('refuse a body that is %s', async (_name, fields) => {
    const framings = [{ 'Content-Length': '15' }, { 'Transfer-Encoding': 'chunked' }]
    for (const framing of framings) {
      const headers = { Host, ...fields, ...framing }
      const refused = await ask(sandbox.url, '/_sandbox/clock', { ...freeze, headers })
      expect(refused.status).toBe(415)
      expect(JSON.parse(refused.text)).toEqual({ errors: { body: [expect.any(String)] } })
    }
    expect(await isFrozen()).toBe(false)
  })

  it('take JSON with a parameter, and a reset without a body', async () => {
    const headers = { Host, 'Content-Type': 'application/json; charset=utf-8' }
    expect((await ask(sandbox.url, '/_sandbox/clock', { ...freeze, headers })).status).toBe(200)
    expect((await ask(sandbox.url, '/_sandbox/reset', { method: 'POST', headers: { Host } })).status).toBe(
      204,
    )
    expect(await isFrozen()).toBe(false)
  })
})

// The stand-in of a test listens on loopback, which no other machine can reach, so the decision is tested directly.
describe('who may use the controls', () => {
  it.each([
    ['127.0.0.1', undefined],
    ['127.9.8.7', undefined],
    ['::1', undefined],
    ['::ffff:127.0.0.1', undefined],
    ['192.0.2.1', 403],
    ['::ffff:192.0.2.1', 403],
    ['2001:db8::1', 403],
    ['127.example', 403],
    [undefined, 403],
  ] as const)('%s: %s', (address, status) => {
    expect(refuseControl(['Host', Host], address)?.status).toBe(status)
  })
})
