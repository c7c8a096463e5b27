import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { run } from '../../src/cli/run.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { callsOf } from '../sandbox/support/call.ts'
import { fakeIo, runCommand } from './fake-io.ts'

const prefix = '/service_cookie_transfer/'
const com = `https://www.example.com${prefix}`
const uk = `https://www.example.co.uk${prefix}`
const scope = (domain: string) => ({ name: 'sid', domain, path: '/', httponly: true })

let sandbox: Sandbox
beforeEach(async () => {
  const settings = { cookie_transfer_enabled: true, cookie_transfer_urls: [com] }
  sandbox = await startSandbox({
    rateLimit: 'off',
    seed: {
      settings: { ...settings, cookie_transfer_proxying: true, cookie_transfer_scopes: [] },
      clients: [{ company_name: 'UK', rest_key: 'uk-rest', widget_key: 'uk-widget', settings }],
    },
  })
})
afterEach(() => sandbox?.close())

describe('settings of several accounts', () => {
  it('diff compares each with what belongs to it, and says which', async () => {
    const { code, stdout, stderr } = await settings(['diff'], both('uk-rest'))
    expect(code).toBe(1)
    expect(stdout).toContain(`--- the account of ${com}\n`)
    expect(stdout).toContain(`+ sid www.example.com / httponly\n\n--- the account of ${uk}\n`)
    expect(stdout).toContain(`cookie_transfer_urls\n- ${com}\n+ ${uk}\n`)
    expect(stdout.match(/\+ sid www\.example\.co\.uk/g)).toHaveLength(1)
    expect(stderr).toBe('')
  })

  it('show prints each under the URL of its first point', async () => {
    const { code, stdout } = await settings(['show'], both('uk-rest'))
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      [com]: { cookie_transfer_proxying: true },
      [uk]: { cookie_transfer_urls: [com] },
    })
  })

  it('apply finds the REST key of a client in the list of its reseller', async () => {
    expect(await settings(['apply', '--remove'], both(undefined))).toMatchObject({ code: 0 })
    expect(await urlsOf('uk-rest')).toEqual([uk])
  })

  it.each([['diff'], ['apply'], ['check']])(
    'the only client of a reseller is told from the reseller by %s',
    async (word) => {
      const io = ioOf({ apiKey: 'demo-api-key', points: [{ url: uk, widgetKey: 'uk-widget' }] })
      const line = word === 'check' ? 'check --only account --format json' : `settings ${word}`
      const { code, stdout, stderr } = await runCommand(line, io)
      expect(code).toBe(word === 'apply' ? 0 : 1)
      expect(stdout + stderr).not.toContain('different accounts')
      expect(await urlsOf('uk-rest')).toEqual(word === 'apply' ? [com, uk] : [com])
      expect(await urlsOf('demo-api-key')).toEqual([com])
    },
  )

  it('apply asks for the REST key of each, beside its point, if the config has no reseller’s', async () => {
    const ofClient = { ...both(undefined), widgetKey: 'uk-widget', apiKey: 'uk-rest' }
    const points = [uk, { url: com, widgetKey: 'demo-widget-key' }]
    const { code, stderr } = await settings(['apply'], { ...ofClient, points })
    expect(code).toBe(2)
    expect(stderr).toContain(`there is no REST key for the account of ${com}`)
    expect(stderr).toContain('"points[1].apiKey" in the config')
    expect(stderr).toContain('or that of its reseller as "apiKey"')
    expect(await urlsOf('uk-rest')).toEqual([com])
  })

  it('diff reads one with the widget key alone', async () => {
    const { code, stdout } = await settings(['diff', '--format', 'json'], both(undefined))
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      exitCode: 1,
      accounts: [
        {
          account: com,
          outcome: 'differs',
          differences: [{ setting: 'cookie_transfer_scopes', surplus: [] }],
        },
        {
          account: uk,
          outcome: 'differs',
          differences: [
            { setting: 'cookie_transfer_proxying', account: false, config: true },
            { setting: 'cookie_transfer_urls', surplus: [com], missing: [uk] },
            { setting: 'cookie_transfer_scopes' },
          ],
        },
      ],
    })
  })

  it.each(['diff', 'show', 'apply'])('%s refuses keys of two accounts for the same point', async (word) => {
    const { code, stdout, stderr } = await settings([word], both('demo-api-key'))
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('account/other-account')
    expect(await urlsOf('uk-rest')).toEqual([com])
    expect(stdout + stderr).not.toMatch(/uk-widget|demo-api-key/)
  })

  it('apply --force still writes with the REST key, and says so', async () => {
    const config = { widgetKey: 'demo-widget-key', apiKey: 'uk-rest', points: [uk] }
    const { stderr } = await settings(['apply', '--force'], config)
    expect(stderr).toContain('Overriding account/other-account for the account.\n')
    expect(await urlsOf('demo-api-key')).toEqual([com])
    expect(await urlsOf('uk-rest')).toEqual([com, uk])
  })
})

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s at a question ends apply, which says how to undo what it has changed',
  async (sent) => {
    const io = ioOf(both('uk-rest'))
    const listeners: (() => void)[] = []
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      if (asked.length === 1) return 'y'
      for (const listener of listeners) listener()
      return undefined
    }
    const onSignal = (signal: string, listener: () => void) => {
      if (signal === sent) listeners.push(listener)
    }
    expect(await run(['settings', 'apply'], { ...io, ask, onSignal })).toBe(130)
    const [path = ''] = Object.keys(io.placed)
    expect(io.written.stderr).toContain(
      `To put it back:\n  continuation-point settings restore ${path} --remove\n`,
    )
    expect(io.written.stderr).not.toContain('Nothing was changed')
    expect([asked.length, await urlsOf('uk-rest')]).toEqual([2, [com]])
  },
)

it.each(['settings show', 'settings diff', 'settings apply'])(
  '%s names the account whose call failed',
  async (line) => {
    const { code, stderr } = await runCommand(line, ioOf(both('wrong-rest')))
    expect(code).toBe(3)
    expect(stderr).toContain(`continuation-point: the account of ${uk}: GET /`)
    expect(stderr).toContain(': the service refused the key')
    expect(stderr).not.toContain('wrong-rest')
  },
)

it('settings apply names the account whose change failed', async () => {
  const body = { method: 'PATCH', path: '/company/options/', status: 500, count: 1 }
  await callsOf(sandbox.url)('POST /_sandbox/failures', { body })
  const { code, stderr } = await settings(['apply', '--remove'], both('uk-rest'))
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(`the account of ${com}: PATCH /company/options/: the service failed`),
  ])
})

it('an account that is declined is left as it is, after another was changed', async () => {
  const io = ioOf(both('uk-rest'))
  const answers = ['y', 'n']
  expect(await run(['settings', 'apply'], { ...io, ask: async () => answers.shift() })).toBe(1)
  expect(io.written.stderr).toContain(
    `Changed cookie_transfer_scopes of the account of ${com}.\nThe account of ${uk} was left as it is.\n`,
  )
  expect(io.written.stderr).not.toContain('Nothing was changed')
  expect(await urlsOf('uk-rest')).toEqual([com])
})

describe('settings apply writes nothing that check calls an error', () => {
  const pages = ['https://www.example.com/']
  it.each<[string, object]>([
    ['url/cross-site', { points: [com, `https://www.example.net${prefix}`], pages }],
    [
      'cookie/mixed-parties',
      { points: [com], pages, cookies: [scope('www.example.com'), scope('www.example.net')] },
    ],
    ['service/back-transfer-domain', { points: [com], pages, backTransfer: true }],
    ['cookie/never-sent', { points: [com], pages, cookies: [scope('example.com')] }],
  ])('%s', async (id, change) => {
    const config = { widgetKey: 'demo-widget-key', apiKey: 'demo-api-key', ...change }
    const before = await settings(['show'], config)
    for (const words of [['apply'], ['apply', '--dry-run']]) {
      const { code, stdout, stderr } = await settings(words, config)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`${id}  `)
      expect(stderr).toContain('  fix  ')
      expect(stderr).toContain('with --force')
    }
    expect((await settings(['show'], config)).stdout).toBe(before.stdout)
    const forced = await settings(['apply', '--force'], config)
    expect(forced.code).toBe(0)
    expect(forced.stderr).toMatch(new RegExp(`Overriding (?:.*, )?${id}`))
    expect((await settings(['show'], config)).stdout).not.toBe(before.stdout)
  })

  it('but a suppressed error does not count', async () => {
    const suppress = [{ rule: 'url/cross-site', match: '*example.net*', reason: 'a test' }]
    const points = [com, `https://www.example.net${prefix}`]
    const config = { widgetKey: 'demo-widget-key', apiKey: 'demo-api-key', points, pages, suppress }
    expect((await settings(['apply'], config)).code).toBe(0)
    expect(await urlsOf('demo-api-key')).toEqual(points)
  })
})

describe('settings restore', () => {
  const demo = { widgetKey: 'demo-widget-key', apiKey: 'demo-api-key', points: [com] }

  it.each<[string, object]>([
    ['another account', { widgetKey: 'uk-widget', apiKey: 'uk-rest', points: [com] }],
    ['another service', { ...demo, service: { api: 'http://127.0.0.1:9/v2' } }],
    ['one of its accounts', { ...both('uk-rest'), points: [com] }],
  ])('refuses the file of %s', async (_whose, config) => {
    const { placed } = await settings(['apply', '--remove', '--save', 'x.json'], both('uk-rest'))
    const before = [await optionsOf('demo-api-key'), await optionsOf('uk-rest')]
    const { code, stderr } = await settings(['restore', 'x.json', '--remove'], config, placed)
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/\/accounts\/[01] is of an account that is not in the config/),
    ])
    expect([await optionsOf('demo-api-key'), await optionsOf('uk-rest')]).toEqual(before)
  })

  it('leaves a cookie alone that was changed since, and says so', async () => {
    const cookie = { name: 'sid', domain: 'www.example.com', path: '/', httponly: true }
    const config = { ...demo, cookies: [cookie] }
    const { placed } = await settings(['apply', '--save', 'x.json'], config)
    const { options } = createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: 'demo-api-key' })
    await options.change({ cookie_transfer_scopes: [{ ...cookie, httponly: false }] })
    const { code, stderr } = await settings(['restore', 'x.json', '--remove'], config, placed)
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('Changed since, left alone: sid www.example.com /\n'),
    ])
    expect((await optionsOf('demo-api-key')).cookie_transfer_scopes).toMatchObject([{ httponly: false }])
  })

  const swapped = { ...both('demo-api-key'), apiKey: 'uk-rest' }
  it.each<[string, object, object, string]>([
    ['each with the other’s REST key', both('uk-rest'), swapped, 'that is not in the config'],
    [
      'both with the REST key that was kept',
      { apiKey: 'demo-api-key', points: [com, `https://www.example.com/shop${prefix}`] },
      both('demo-api-key'),
      '/accounts/0 does not tell the accounts of the config apart',
    ],
  ])('gives no account what was kept from another: %s', async (_keys, kept, config, fault) => {
    const { placed } = await settings(['apply', '--remove', '--save', 'x.json'], kept)
    expect(placed['x.json']).not.toMatch(/demo-|uk-rest|uk-widget/)
    const before = [await optionsOf('demo-api-key'), await optionsOf('uk-rest')]
    const { code, stderr } = await settings(['restore', 'x.json', '--remove'], config, placed)
    expect([code, stderr]).toEqual([2, expect.stringContaining(fault)])
    expect([await optionsOf('demo-api-key'), await optionsOf('uk-rest')]).toEqual(before)
  })
})

describe('settings diff --format', () => {
  const config = { widgetKey: 'demo-widget-key', points: [com, `https://shop.example.com${prefix}`] }

  it('github: one annotation for each difference', async () => {
    const { stdout } = await settings(['diff', '--format', 'github'], config)
    expect(stdout).toBe(
      `::error title=settings cookie_transfer_urls::the account: + https://shop.example.com${prefix}\n`,
    )
  })

  it('json says so when nothing differs', async () => {
    const { code, stdout } = await settings(['diff', '--format', 'json'], { ...config, points: [com] })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      exitCode: 0,
      accounts: [{ outcome: 'same', differences: [] }],
    })
  })

  it.each([
    ['show', '--format', 'json'],
    ['diff', '--force', ''],
    ['show', '--dry-run', ''],
    ['diff', '--dry-run', ''],
    ['diff', '--format', 'html'],
  ])('%s %s %s is a usage error', async (...words) => {
    expect((await settings(words.filter(Boolean), config)).code).toBe(2)
  })
})

const both = (ukApiKey: string | undefined) => ({
  widgetKey: 'demo-widget-key',
  apiKey: 'demo-api-key',
  points: [com, { url: uk, widgetKey: 'uk-widget', apiKey: ukApiKey }],
  cookies: [scope('www.example.com'), scope('www.example.co.uk')],
})

function ioOf(config: object, files: Readonly<Record<string, string>> = {}) {
  const text = JSON.stringify({ service: { url: sandbox.url }, ...config })
  return fakeIo({ ...files, 'config.json': text })
}

function settings(words: readonly string[], ...given: Parameters<typeof ioOf>) {
  return runCommand(['settings', ...words], ioOf(...given))
}

async function urlsOf(apiKey: string): Promise<readonly string[] | undefined> {
  return (await optionsOf(apiKey)).cookie_transfer_urls
}

function optionsOf(apiKey: string) {
  return createClient({ baseUrl: `${sandbox.url}/v2`, apiKey }).options.get()
}
