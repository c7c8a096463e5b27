import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { callsOf } from '../sandbox/support/call.ts'
import { openCommandLine } from './fake-io.ts'

const prefix = '/service_cookie_transfer/'
const www = `https://www.example.com${prefix}`

const readTop = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')

describe.each(['a', 'b'] as const)('what an account allows, in naming set %s', async (optionNames) => {
  const disk: Record<string, string> = {}
  const run = openCommandLine(disk, { API_KEY: 'demo-api-key' })

  const agents = [{ agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com' }]
  const small = {
    company_name: 'Small',
    company_plan_name: 'client_small',
    widget_key: 'small-widget',
    domains: 'www.small.example',
  }
  const plans = { client_small: { cookie_transfer_proxying: false } }
  const seed = { optionNames, agents, plans, clients: [small] }
  const sandbox = await startSandbox({ seed, rateLimit: 'off' })
  const { url } = sandbox
  const call = callsOf(url)
  afterAll(() => sandbox.close())

  const callsOfRest = async () =>
    (await call('GET /_sandbox/requests')).json.requests.filter(({ path }: { path: string }) =>
      path.startsWith('/v2/'),
    ).length

  it('a user without a REST key is told what to type, and sees that it is done', async () => {
    const cookies = [{ name: 'sid', domain: 'www.example.com', path: '/', httponly: true }]
    const config = { service: { url }, widgetKey: 'demo-widget-key', points: [www], cookies }
    const told = await run(config, 'settings', 'apply')
    expect([told.code, await callsOfRest()]).toEqual([3, 0])
    expect(told.stdout).toContain(
      `1. cookie_transfer_urls lists these, besides those of other hosts:\n     ${www}\n`,
    )
    expect(told.stdout).toContain('     sid   www.example.com  /     yes\n')
    expect((await run(config, 'settings', 'sheet')).stdout).toBe(told.stdout)
    expect((await run(config, 'settings', 'diff')).code).toBe(1)
    const begun = await run(undefined, 'init', 'https://www.example.com/', '--service', url, '--output', '-')
    for (const text of [begun.stdout, await readTop('README.md'), await readTop('docs/account.md')])
      expect(text.replace(/\s+(?:\/\/ )?/g, ' ')).toMatch(/integration panel[^.]*, below the widget code/)
    const typed = { cookie_transfer_urls: [www], cookie_transfer_scopes: cookies }
    await call('PATCH /company/options/', { body: { ...typed, cookie_transfer_proxying: true } })
    expect(await run(config, 'settings', 'diff')).toMatchObject({ code: 0, stdout: '' })
  })

  it('a plan that forbids what is applied shows afterwards, and beforehand once the config names it', async () => {
    const words = ['--from-clients', '--service', url, '--force']
    expect((await run(undefined, 'init', ...words)).code).toBe(0)
    const config = disk['config.json'] ?? ''
    expect(config).toContain(
      `{ "url": "https://www.small.example${prefix}", "widgetKey": "small-widget", "plan": "client_small" }`,
    )
    const applied = await run(undefined, 'settings', 'apply')
    expect([applied.code, applied.stderr]).toEqual([
      1,
      expect.stringContaining('The account did not store everything; its plan may not allow it.\n'),
    ])
    expect(applied.stderr).toContain('cookie_transfer_proxying\n- false\n+ true\n')
    const before = await callsOfRest()
    const plans = '"plans": { "client_small": { "cookie_transfer_proxying": false } },'
    disk['config.json'] = config.replace('{', `{ ${plans}`)
    const refused = await run(undefined, 'settings', 'apply')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('config/plan')])
    expect(refused.stderr).toContain('client_small fixes cookie_transfer_proxying as false')
    expect(await callsOfRest()).toBe(before)
  })
})
