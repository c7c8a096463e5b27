import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { prefix, root, runWith } from './an-account.ts'

/** The stand-in with two accounts that have the same settings: only a change tells them apart. */
describe.each(['a', 'b'] as const)('keys of two accounts, in naming set %s', (optionNames) => {
  let sandbox: Sandbox
  beforeEach(async () => {
    const client = { company_name: 'UK', rest_key: 'uk-rest', widget_key: 'uk-widget' }
    sandbox = await startSandbox({ rateLimit: 'off', seed: { optionNames, clients: [client] } })
  })
  afterEach(() => sandbox.close())

  const optionsOf = (apiKey: string) => createClient({ baseUrl: `${sandbox.url}/v2`, apiKey }).options
  const read = async () => [await optionsOf('demo-api-key').get(), await optionsOf('uk-rest').get()]
  const run = async (keys: object, line: string) => {
    const ran = await runWith({ service: { url: sandbox.url }, ...keys, points: [root] }, line)
    expect(ran.stdout + ran.stderr).not.toMatch(/demo-(?:api|widget)|uk-(?:rest|widget)/)
    return ran
  }
  const swapped = { apiKey: 'uk-rest', widgetKey: 'demo-widget-key' }
  const differ = () =>
    optionsOf('uk-rest').change({ cookie_transfer_urls: [`https://www.example.com/x${prefix}`] })

  it.each(['settings diff', 'settings show', 'settings apply', 'check --only account'])(
    '%s refuses them',
    async (line) => {
      await differ()
      const before = await read()
      const { code, stdout, stderr } = await run(swapped, line)
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('account/other-account')])
      expect(await read()).toEqual(before)
    },
  )

  it('apply finds out by its change, puts that back, and blames the keys', async () => {
    const before = await read()
    const { code, stderr } = await run(swapped, 'settings apply')
    expect([code, stderr]).toEqual([1, expect.stringContaining('(account/other-account)')])
    expect(stderr).toMatch(/What was changed is put back, so the kept file is not needed\n$/)
    expect(stderr).not.toContain('plan')
    expect(await read()).toEqual(before)
  })

  it.each(['settings show', 'settings diff', 'check --only account'])(
    '%s shows none that the account repeats',
    async (line) => {
      await optionsOf('demo-api-key').change({ cookie_transfer_urls: [`https://demo-api-key.com${prefix}`] })
      const { stdout, stderr } = await run({ apiKey: 'demo-api-key' }, line)
      expect(stdout + stderr).toContain('the body repeats the API key')
    },
  )

  it('keys of one account are fine', async () => {
    const keys = { apiKey: 'demo-api-key', widgetKey: 'demo-widget-key' }
    expect((await run(keys, 'settings apply')).code).toBe(0)
    for (const line of ['settings diff', 'check --only account']) expect((await run(keys, line)).code).toBe(0)
    expect((await run({ widgetKey: 'demo-widget-key' }, 'settings diff')).code).toBe(0)
  })
})
