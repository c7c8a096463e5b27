import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { ask } from '../sandbox/support/ask.ts'
import { type Call, callsOf } from '../sandbox/support/call.ts'
import { openCommandLine } from './fake-io.ts'
import { checkAsJson } from './json-check.ts'

const prefix = '/service_cookie_transfer/'
const www = `https://www.example.com${prefix}`

const readTop = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')

describe.each(['a', 'b'] as const)('what an account allows, in naming set %s', (optionNames) => {
  const disk: Record<string, string> = {}
  const run = openCommandLine(disk, { API_KEY: 'demo-api-key' })
  let sandbox: Sandbox
  let url: string
  let call: Call

  beforeAll(async () => {
    const agents = [{ agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com' }]
    const small = {
      company_name: 'Small',
      company_plan_name: 'client_small',
      widget_key: 'small-widget',
      domains: 'www.small.example',
    }
    const plans = { client_small: { cookie_transfer_proxying: false } }
    sandbox = await startSandbox({
      seed: { optionNames, agents, plans, clients: [small] },
      rateLimit: 'off',
    })
    url = sandbox.url
    call = callsOf(url)
  })
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
    const before = await callsOfRest()
    const plans = '"plans": { "client_small": { "cookie_transfer_proxying": false } },'
    disk['config.json'] = config.replace('{', `{ ${plans}`)
    const refused = await run(undefined, 'settings', 'apply')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('config/plan')])
    expect(refused.stderr).toContain('client_small fixes cookie_transfer_proxying as false')
    expect(await callsOfRest()).toBe(before)
  })

  it.each<[string, string, object]>([
    [
      'page/back-transfer',
      'https://www.example.org/',
      {
        service: { url: 'https://cobrowse.example.com' },
        backTransfer: true,
        points: [www, `https://www.example.org${prefix}`],
        pages: ['https://www.example.com/', 'https://www.example.org/'],
      },
    ],
    [
      'page/root-point',
      'https://www.example.com/',
      { points: [`https://www.example.com/shop${prefix}`], pages: ['https://www.example.com/'] },
    ],
    [
      'service/api-version',
      'service.api',
      { service: { api: 'https://cobrowse.example.net' }, points: [www] },
    ],
    [
      'config/plan',
      'plans.basic',
      {
        points: [{ url: www, plan: 'basic' }],
        backTransfer: false,
        plans: { basic: { enable_cookie_backtransfer: true } },
      },
    ],
    [
      'config/plan',
      'plans.client_small',
      { points: [{ url: www, plan: 'client_smal' }], plans: { client_small: {} } },
    ],
  ])('check --offline finds %s on %s', async (id, subject, config) => {
    const { failures } = await checkAsJson(['--offline'], { 'config.json': JSON.stringify(config) })
    const failed = failures.filter((each) => each.id === id)
    expect(failed.map((each) => Object.values(each.subject))).toEqual([[subject]])
  })

  it.each<[string, object | undefined, number, string]>([
    ['GET /clients/all/', undefined, 200, '"company_plan_name":"client_small"'],
    ['GET /agents/?fre=true', undefined, 400, '"fre"'],
    ['POST /agents/access-token/', { agent: 7 }, 400, '"agent"'],
    ['GET /history/?min_date=2029-02-30', undefined, 400, '"min_date"'],
    ['GET /history/?min_date=2029-01-02T02:00:00%2B0100', undefined, 200, '"results"'],
    ['POST /_sandbox/failures', { path: '/v2/agents', status: 500 }, 400, 'will never match'],
  ])('the stand-in answers %s %j with %i', async (what, body, status, text) => {
    const answer = await call(what, { body })
    expect([answer.status, answer.text.replaceAll(': ', ':')]).toEqual([
      status,
      expect.stringContaining(text),
    ])
  })

  it.each([
    [false, 'as-it-was'],
    [true, 'changed'],
  ])('a session has one leader, and with control switching %s an agent leaves it %s', async (isOn, value) => {
    await call('PATCH /company/options/', { body: { host_switching_allowed: isOn } })
    const headers = { Host: new URL(url).host, 'Content-Type': 'application/json' }
    const begun = await ask(url, '/_widget/sessions', {
      method: 'POST',
      headers: { ...headers, Origin: 'https://www.example.com' },
      body: JSON.stringify({
        widgetKey: 'demo-widget-key',
        pageUrl: 'https://www.example.com/',
        options: { cookie_transfer_proxying: true, enable_cookie_backtransfer: true },
        cookies: [{ name: 'look', value: 'as-it-was' }],
        entries: [],
        steps: [{ label: 'Change it', cookie: 'look', value: 'changed' }],
      }),
    })
    const { pin, leader_link } = JSON.parse(begun.text)
    const { agent_token } = (await call('POST /agents/access-token/', { body: { agent_id: 7 } })).json
    const body = JSON.stringify({ pin, agent_token })
    const joined = JSON.parse((await ask(url, '/join', { method: 'POST', headers, body })).text)
    const { pathname } = new URL(joined.url)
    await ask(url, `${pathname}/steps/0`, { method: 'POST' })
    expect((await ask(url, pathname)).text).toContain(`<code>${value}</code>`)
    const { location = '' } = (await ask(url, new URL(leader_link).pathname)).headers
    expect((await ask(url, location)).text.match(/data-participant="leader"/g)).toHaveLength(1)
  })
})
