import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startStub } from '../api/support/stub-service.ts'
import { openAccount, prefix, root, runWith, type Setting, shop, sid } from './an-account.ts'

const inStep = {
  cookie_transfer_enabled: true,
  cookie_transfer_proxying: true,
  cookie_transfer_urls: [root],
  cookie_transfer_scopes: [sid],
}
const stale = {
  ...inStep,
  cookie_transfer_proxying: false,
  cookie_transfer_urls: [shop, `https://www.example.com/old${prefix}`],
  cookie_transfer_scopes: [{ ...sid, httponly: false }],
  start_muted: true,
}
const staleDiff = `--- the account
+++ the config

cookie_transfer_proxying
- false
+ true

cookie_transfer_urls
- https://www.example.com/old${prefix}
+ ${root}

cookie_transfer_scopes
- sid www.example.com /
+ sid www.example.com / httponly
`
const applied = {
  cookie_transfer_proxying: true,
  cookie_transfer_urls: [shop, root],
  cookie_transfer_scopes: [sid],
}
const cookies = [sid]
const faulty = { cookies, pages: ['https://www.example.net/'] }

interface Row extends Setting {
  readonly account?: object
  readonly config?: object
  readonly line: string
  readonly code: number
  /** All of stdout, or a part. */
  readonly stdout?: string | RegExp
  readonly stderr?: RegExp
  /** What has changed in the account; nothing if it is absent. */
  readonly after?: object
}

/** The account before, the config and the words; then the account after and the output. */
async function judge(_what: string, { account = stale, config = { cookies }, line, after, ...row }: Row) {
  const { run, now, calls } = await openAccount(account)
  const { code, stdout, stderr } = await run(config, line, row)
  expect([code, stderr]).toEqual([row.code, expect.stringMatching(row.stderr ?? /^[^\u009b]*$/)])
  if (typeof row.stdout === 'string') expect(stdout).toBe(row.stdout)
  else expect(stdout).toMatch(row.stdout ?? /^[^\u009b]*$/)
  expect(now()).toEqual({ ...account, ...after })
  expect(calls().includes('PATCH')).toBe(after !== undefined)
}

describe('show and diff', () => {
  const { start_muted: _other, ...shown } = stale
  test.each<[string, Row]>([
    [
      'show prints the settings, and no other option',
      { line: 'settings show', code: 0, stdout: `${JSON.stringify(shown, undefined, 2)}\n` },
    ],
    [
      'with characters of a terminal escaped',
      {
        account: { cookie_transfer_urls: ['https://x\u202e\u009b/'] },
        ...{ line: 'settings show', code: 0, stdout: /https:\/\/x\\u202e\\u009b\// },
      },
    ],
    ['show needs no point', { config: { points: [] }, line: 'settings show', code: 0 }],
    ['diff shows what differs', { line: 'settings diff', code: 1, stdout: staleDiff, stderr: /^$/ }],
    [
      'diff says that nothing does',
      { account: inStep, line: 'settings diff', code: 0, stdout: '', stderr: /matches the config/ },
    ],
    ...['settings diff', 'settings apply --dry-run'].map((line): [string, Row] => [
      `${line} shows no credentials and no query of a URL`,
      {
        account: {
          ...inStep,
          cookie_transfer_urls: [
            'https://robin:secret@www.example.com/x/',
            'https://www.example.com/?k=secret',
          ],
        },
        line,
        code: line.startsWith('settings apply') ? 0 : 1,
        stdout: /^(?![\s\S]*secret)[\s\S]*https:\/\/…@www\.example\.com\/x\//,
      },
    ]),
  ])('%s', judge)

  test.each(['diff', 'apply --dry-run'])('%s colours the lines at a terminal', async (line) => {
    const { run } = await openAccount(stale)
    const { stdout } = await run({ cookies }, `settings ${line}`, { io: { stdoutIsTty: true } })
    expect(stdout).toContain('\u001b[31m- false\u001b[39m\n\u001b[32m+ true')
    expect(stripVTControlCharacters(stdout)).toBe(staleDiff)
  })
})

describe('apply', () => {
  const declined = { line: 'settings apply', code: 1, stderr: /was left as it is/ }
  test.each<[string, Row]>([
    [
      'changes what differs, and nothing else',
      { line: 'settings apply --remove', code: 0, stdout: staleDiff, after: applied },
    ],
    [
      'removes nothing without a terminal',
      {
        line: 'settings apply',
        code: 1,
        stdout: staleDiff,
        stderr: /removes 1 entry.*Allow it with --remove\./,
      },
    ],
    [
      'removes foreign entries with --remove-foreign',
      {
        line: 'settings apply --remove-foreign',
        code: 0,
        after: { ...applied, cookie_transfer_urls: [root] },
      },
    ],
    ['changes nothing that is in step', { account: inStep, line: 'settings apply', code: 0, stdout: '' }],
    ['--dry-run shows it', { line: 'settings apply --dry-run', typed: 'y', code: 0, stdout: staleDiff }],
    ['y changes it', { line: 'settings apply', typed: ' YES ', code: 0, after: applied }],
    ['n does not', { ...declined, typed: 'n' }],
    ['nor does an empty line', { ...declined, typed: '' }],
    ['nor a word that begins with y', { ...declined, typed: 'yesterday' }],
    [
      'switches back-transfer off that the config has as false',
      {
        account: { ...inStep, enable_cookie_backtransfer: true },
        config: { cookies, backTransfer: false },
        ...{ line: 'settings apply', code: 0, after: { enable_cookie_backtransfer: false } },
      },
    ],
    [
      'a config with an error is not applied',
      { config: faulty, line: 'settings apply', code: 1, stderr: /url\/cross-site.*[\s\S]*suppress/ },
    ],
    [
      'and a suppressed error does not count',
      {
        config: {
          ...faulty,
          suppress: ['url/cross-site', 'page/no-point', 'cookie/never-sent'].map((rule) => ({
            rule,
            reason: 'a test',
          })),
        },
        ...{ line: 'settings apply --remove', code: 0, after: applied },
      },
    ],
  ])('%s', judge)

  test('keeps what it replaces beside the config, and says how to put it back', async () => {
    const { run, service } = await openAccount(stale)
    const files = { "'\u009b.json": JSON.stringify({ service, apiKey: 'KEY', points: [root], cookies }) }
    const { placed, stderr } = await run(undefined, "settings apply --remove --config '\u009b.json", {
      files,
    })
    const [path = '', ...others] = Object.keys(placed)
    expect([path, others]).toEqual([expect.stringMatching(/^'\u009b\.replaced-\d{8}T\d{9}Z\.json$/), []])
    const word = `$'${path.replace("'\u009b", "\\'\\302\\233")}'`
    expect(stderr).toContain(`in ${word}. To put it back:\n  continuation-point settings restore ${word}`)
  })

  const full = async () => {
    throw Object.assign(new Error(), { code: 'ENOSPC' })
  }
  test('changes nothing if what it replaces can’t be kept', async () => {
    const row = {
      io: { placeFile: full },
      code: 3,
      stderr: /can't be kept in config\.replaced-.*disk is full/,
    }
    await judge('', { line: 'settings apply --remove', ...row })
  })

  test('changes nothing if somebody else does while it asks', async () => {
    const account = await openAccount(stale)
    const ask = async () => {
      account.change({ cookie_transfer_urls: [...stale.cookie_transfer_urls, root] })
      return 'y'
    }
    const { code, stderr, placed } = await account.run({ cookies }, 'settings apply', { io: { ask } })
    expect([code, placed]).toEqual([3, {}])
    expect(stderr).toContain('not changed, since its settings are no longer what was shown')
    expect(account.calls()).toEqual(['GET', 'GET'])
  })

  test('says what the account did not store', async () => {
    const { baseUrl: api } = await startStub({ body: { ...inStep, cookie_transfer_proxying: false } })
    const config = { service: { api }, apiKey: 'rest-key', points: [root], cookies }
    const { code, stderr } = await runWith(config, 'settings apply')
    expect([code, stderr]).toEqual([1, expect.stringContaining('did not store everything; its plan may not')])
    expect(stderr).toContain('cookie_transfer_proxying\n- false\n+ true\n')
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s at the question ends it', async (sent) => {
    const { run, calls } = await openAccount(stale)
    const listeners: (() => void)[] = []
    const onSignal = (name: string, listener: () => void) => {
      if (name === sent) listeners.push(listener)
    }
    const ask = async () => {
      for (const listener of listeners) listener()
      return undefined
    }
    expect((await run({ cookies }, 'settings apply', { io: { ask, onSignal } })).code).toBe(130)
    expect(calls()).toEqual(['GET'])
  })
})

describe('restore', () => {
  const { cookie_transfer_enabled: _same, start_muted: _other, ...replaced } = stale
  const changed = { ...stale, ...applied }
  const files = { 'b\u009b.json': JSON.stringify(replaced) }
  const line = 'settings restore b\u009b.json'
  const restores = { account: changed, files, code: 0, after: replaced }
  const bank = `https://bank.example.com${prefix}`
  const alsoBank = { ...changed, cookie_transfer_urls: [...applied.cookie_transfer_urls, bank] }
  test.each<[string, Row]>([
    ['writes exactly what apply replaced', { ...restores, line, typed: 'y' }],
    [
      'but removes nothing without a terminal',
      { account: changed, files, line, code: 1, stderr: /this removes 1 entry, and .* with --remove\./ },
    ],
    ['unless --remove allows it', { ...restores, line: `${line} --remove` }],
    [
      'and removes entries of other hosts neither with that',
      {
        account: alsoBank,
        files,
        line: `${line} --remove`,
        code: 1,
        stderr: /1 entry of other hosts.*--remove-foreign\./,
      },
    ],
    ['only with --remove-foreign', { ...restores, account: alsoBank, line: `${line} --remove-foreign` }],
    [
      'whatever the config says now',
      { ...restores, config: { points: [bank] }, line: `${line} --remove-foreign` },
    ],
    [
      '--dry-run shows it',
      { account: changed, files, line: `${line} --dry-run`, code: 0, stdout: /\+\+\+ \$'b\\302\\233\.json'/ },
    ],
    [
      'says that nothing differs',
      { files, line, code: 0, stdout: '', stderr: /^The account matches \$'b\\302\\233\.json'\.\n$/ },
    ],
  ])('%s', judge)

  test.each<[string, string, RegExp]>([
    ['no JSON', '{', /it is not JSON/],
    ['too deep', '['.repeat(1e5), /nested too deeply/],
    ['no object', '[]', /not an object/],
    ['another option', '{ "start_muted": true }', /\/start_muted/],
    ['another value', '{ "cookie_transfer_urls": "x" }', /\/cookie_transfer_urls is not an array/],
    ['another entry', '{ "cookie_transfer_scopes": [{ "name": "a" }] }', /\/cookie_transfer_scopes\/0/],
  ])('refuses a file with %s', async (what, text, stderr) => {
    const row = { files: { 'b\u009b.json': text }, line, code: 2, stdout: '', stderr }
    await judge(what, row)
  })

  test('each printed command undoes the one before', async () => {
    const { run, now } = await openAccount({ ...inStep, ...stale })
    const states: object[] = [now()]
    let line = 'settings apply --remove'
    let files = {}
    for (let round = 0; round < 3; round += 1) {
      const { code, placed, stderr } = await run({ cookies }, line, { files })
      expect(code).toBe(0)
      states.push(now())
      files = placed
      ;[, line = ''] = /To put it back:\n {2}continuation-point (.*)\n/.exec(stderr) ?? []
    }
    expect(states[1]).not.toEqual(states[0])
    expect(states.slice(2)).toEqual(states.slice(0, 2))
  })
})

describe('without a REST key', () => {
  const keyless = { apiKey: undefined, points: [root.replace('www', 'WWW')], cookies, backTransfer: false }
  const sheet = `In the settings of the account, in this order:

1. cookie_transfer_urls lists these, besides those of other hosts:
     ${root}
2. cookie_transfer_scopes lists these, besides those of other hosts:
     name  domain           path  httponly
     sid   www.example.com  /     yes
3. enable_cookie_backtransfer is off
4. cookie_transfer_enabled is on
5. cookie_transfer_proxying is on
`
  const told = { config: keyless, code: 2, stdout: '', stderr: /there is no REST key[\s\S]*settings sheet/ }
  const faultyToo = { config: { ...keyless, ...faulty }, code: 1, stdout: '' }
  test.each<[string, Row]>([
    [
      'sheet prints what to type',
      { config: keyless, line: 'settings sheet', code: 0, stdout: sheet, stderr: /^$/ },
    ],
    ['apply is refused', { ...told, line: 'settings apply' }],
    ['diff', { ...told, line: 'settings diff' }],
    ['show', { ...told, line: 'settings show' }],
    [
      'with errors there is none',
      { ...faultyToo, line: 'settings sheet', stderr: /apply these fixes first/ },
    ],
    [
      'a widget key is enough to compare',
      {
        config: { ...keyless, apiKey: 'env:UNSET', widgetKey: 'w', backTransfer: undefined },
        line: 'settings diff',
        code: 1,
        stdout: staleDiff,
      },
    ],
  ])('%s', judge)
})

describe('a refusal of the service exits 3', () => {
  const config = (api: string) => ({ service: { api }, apiKey: 'rest-key', points: [root], cookies })

  test('a setting that it refuses is named, in our own words only', async () => {
    const errors = { cookie_transfer_scopes: ['0/domain is bad'], other: ['no'] }
    const { baseUrl } = await startStub({ body: stale }, { body: stale }, { status: 400, body: { errors } })
    const { code, stderr } = await runWith(config(baseUrl), 'settings apply --remove')
    expect(code).toBe(3)
    expect(stderr).toContain('(status 400). It rejected cookie_transfer_scopes, other.\n')
    expect(stderr).not.toContain('is bad')
  })

  test.each([
    [root, '/cookie_transfer_urls is not an array'],
    [[root, 7], '/cookie_transfer_urls/1 is not a string'],
    [undefined, 'it has no cookie_transfer_*'],
  ])('an answer that is not what the service documents: %j', async (cookie_transfer_urls, fault) => {
    const { baseUrl } = await startStub({ body: { cookie_transfer_urls } })
    const { code, stderr } = await runWith(config(baseUrl), 'settings apply')
    expect([code, stderr]).toEqual([3, expect.stringContaining(fault)])
  })

  test.each<[string, () => object | undefined]>([
    ['cut', () => undefined],
    ['no JSON', () => ({ body: '<html>' })],
    ['a 502', () => ({ status: 502 })],
  ])('the answer to a change is %s: it may have been made, and that is said', async (_what, answer) => {
    const { baseUrl } = await startStub(({ method }, outgoing) => {
      if (method !== 'PATCH') return { body: { cookie_transfer_enabled: false } }
      const answered = answer()
      if (answered === undefined) outgoing.destroy()
      return answered
    })
    const { code, stderr } = await runWith(config(baseUrl), 'settings apply')
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('may or may not have been made: settings diff shows what differs now.'),
    ])
  })
})

describe('a usage error or an insufficient config exits 2, and every fault is named', () => {
  const api = 'https://x.example/v2'
  const file = { service: { api }, apiKey: 'k', points: [root] }
  test.each<readonly [line: string, config: object | undefined, Setting, words: readonly string[]]>([
    ['--dry-run', undefined, {}, ['settings needs show, diff, apply, restore or sheet']],
    ['restore', undefined, {}, ['restore needs the FILE']],
    ['apply x.json', undefined, {}, ['unexpected argument "x.json"']],
    ['diff --remove-foreign', undefined, {}, ['--remove-foreign is only for apply and restore']],
    ['diff --dry-run', file, {}, ['--dry-run is only for apply and restore']],
    ['diff --format json', file, {}, ['unknown flag --format']],
    ['restore x.json', file, {}, ["x.json can't be read: it does not exist"]],
    ['aply', undefined, {}, ['not "aply", did you mean apply?']],
    [
      'diff',
      undefined,
      { env: { CONTINUATION_POINTS: 'https://www.example.com/x' } },
      [
        ...['there is no config', 'service.api and service.url are missing'],
        ...['there is no REST key', 'CONTINUATION_POINTS'],
      ],
    ],
    ['show', { ...file, service: { api: api.replace('https', 'http') } }, {}, ['plain http', 'an https URL']],
    ['apply', { ...file, points: ['https://www.example.com/'] }, {}, ['url/prefix']],
    ['diff', undefined, { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }, ['NODE_TLS_REJECT_UNAUTHORIZED']],
    ['diff', { ...file, apiKey: undefined, widgetKey: 'env:W' }, {}, ['the variable W is not set']],
  ])('%s with %j: %s', async (line, config, setting, words) => {
    const { code, stdout, stderr } = await runWith(config, `settings ${line}`, setting)
    expect([code, stdout]).toEqual([2, ''])
    for (const each of words) expect(stderr).toContain(each)
  })
})
