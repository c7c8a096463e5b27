import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Io } from '../../src/cli/io.ts'
import { startStub } from '../api/support/stub-service.ts'
import { fakeIo, runCommand } from './fake-io.ts'

const pointUrl = 'https://www.example.com/service_cookie_transfer/'
const sid = { name: 'sid', domain: 'www.example.com', path: '/', httponly: true }

const toFile = (api: string | undefined, more: object = {}) =>
  JSON.stringify({
    service: api === undefined ? {} : { api },
    apiKey: 'env:REST_KEY',
    points: [pointUrl],
    cookies: [sid],
    ...more,
  })

const foreignUrl = 'https://old.example.com/service_cookie_transfer/'

const inStep = {
  cookie_transfer_enabled: true,
  cookie_transfer_proxying: true,
  cookie_transfer_urls: [pointUrl],
  cookie_transfer_scopes: [sid],
}

const stale = {
  ...inStep,
  cookie_transfer_proxying: false,
  cookie_transfer_urls: [foreignUrl, 'https://www.example.com/old/service_cookie_transfer/'],
  cookie_transfer_scopes: [{ ...sid, httponly: false }],
  start_muted: true,
}

const staleDiff = `--- the account
+++ the config

cookie_transfer_proxying
- false
+ true

cookie_transfer_urls
- https://www.example.com/old/service_cookie_transfer/
+ https://www.example.com/service_cookie_transfer/

cookie_transfer_scopes
- sid www.example.com /
+ sid www.example.com / httponly
`

const patch = {
  cookie_transfer_proxying: true,
  cookie_transfer_urls: [foreignUrl, pointUrl],
  cookie_transfer_scopes: [sid],
}

interface Setup {
  readonly file?: string
  readonly files?: Readonly<Record<string, string>>
  readonly io?: Partial<Io>
  readonly env?: Readonly<Record<string, string>>
  /** What the user types at the terminal; absent: no terminal. */
  readonly typed?: string
}

async function settings(line: string, { file, files, io, env = { REST_KEY: 'rest-key' }, typed }: Setup) {
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return typed ?? ''
  }
  const fake = fakeIo({ ...files, ...(file !== undefined && { 'config.json': file }) }, env)
  const ran = await runCommand(`settings ${line}`, { ...fake, ...(typed !== undefined && { ask }), ...io })
  return { ...ran, asked }
}

const startAccount = async (...answers: readonly object[]) => {
  const { baseUrl, arrivals } = await startStub(...answers.map((body) => ({ body })))
  return {
    file: toFile(baseUrl),
    arrivals,
    asked: () => arrivals.map(({ method, path }) => `${method} ${path}`),
  }
}

describe('show', () => {
  test('prints the account’s settings and no other option', async () => {
    const { file } = await startAccount({ ...stale, cookie_transfer_urls: ['https://x\u202e\u009b/'] })
    const { code, stdout, stderr } = await settings('show', { file })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('https://x\\u202e\\u009b/')
    const { start_muted: _other, ...shown } = { ...stale, cookie_transfer_urls: ['https://x\u202e\u009b/'] }
    expect(JSON.parse(stdout)).toEqual(shown)
  })

  test('needs no point', async () => {
    const { baseUrl } = await startStub({ body: inStep })
    const { code } = await settings('show', { file: toFile(baseUrl, { points: [] }) })
    expect(code).toBe(0)
  })
})

describe('diff', () => {
  test('shows what differs and exits 1', async () => {
    const { file, asked } = await startAccount(stale)
    expect(await settings('diff', { file })).toMatchObject({ code: 1, stdout: staleDiff, stderr: '' })
    expect(asked()).toEqual(['GET /company/options/'])
  })

  test.each(['diff', 'diff --format json', 'apply --dry-run'])(
    '%s shows no credentials and no query of a URL in the account',
    async (line) => {
      const listed = ['https://robin:secret@www.example.com/x/', 'https://www.example.com/?key=secret']
      const { file } = await startAccount({ ...inStep, cookie_transfer_urls: listed })
      const { stdout } = await settings(line, { file })
      expect(stdout).toContain('https://…@www.example.com/x/')
      expect(stdout).not.toContain('secret')
    },
  )

  test.each<[string, Record<string, string>, string, boolean]>([
    ['', {}, 'diff', true],
    [', but not with NO_COLOR', { NO_COLOR: '1' }, 'diff', false],
    [', also before it asks', {}, 'apply --dry-run', true],
    [', but not in JSON', {}, 'diff --format json', false],
  ])('colours the lines at a terminal%s', async (_unless, env, line, hasColour) => {
    const { file } = await startAccount(stale)
    const setup = { file, env: { REST_KEY: 'rest-key', ...env }, io: { stdoutIsTty: true } }
    const { stdout } = await settings(line, setup)
    expect(stdout.includes('\u001b')).toBe(hasColour)
    if (!hasColour) return
    expect(stdout).toContain(
      '\u001b[1mcookie_transfer_proxying\u001b[22m\n\u001b[31m- false\u001b[39m\n\u001b[32m+ true',
    )
    expect(stripVTControlCharacters(stdout)).toBe(staleDiff)
  })
})

describe('apply', () => {
  test('changes what differs and nothing else', async () => {
    const { file, arrivals, asked } = await startAccount(stale, stale, inStep, inStep)
    expect(await settings('apply --remove', { file })).toMatchObject({
      code: 0,
      stdout: staleDiff,
      asked: [],
    })
    const [get, change] = ['GET /company/options/', 'PATCH /company/options/']
    expect(asked()).toEqual([get, get, change, get])
    expect(arrivals[2]?.body).toEqual(patch)
  })

  test('removes nothing without a terminal unless --remove allows it', async () => {
    const { file, asked } = await startAccount(stale)
    const { code, stdout, stderr } = await settings('apply', { file })
    expect([code, stdout]).toEqual([1, staleDiff])
    expect(stderr).toContain(
      'this removes 1 entry, and there is no terminal to ask at. Allow it with --remove.',
    )
    expect(asked()).toEqual(['GET /company/options/'])
  })

  test('removes foreign entries with --remove-foreign', async () => {
    const { file, arrivals } = await startAccount(stale, stale, inStep, inStep)
    const { code, stdout } = await settings('apply --remove-foreign', { file })
    expect([code, stdout.includes(`- ${foreignUrl}`)]).toEqual([0, true])
    expect(arrivals[2]?.body).toEqual({ ...patch, cookie_transfer_urls: [pointUrl] })
  })

  test('keeps what it replaces, beside the config or in --save, and says how to put it back', async () => {
    const { file } = await startAccount(stale, stale, inStep, inStep, stale, stale, inStep, inStep)
    const { placed, stderr } = await settings('apply --remove', { file })
    const [path = '', ...others] = Object.keys(placed)
    expect([path, others]).toEqual([expect.stringMatching(/^config\.replaced-\d{8}T\d{9}Z\.json$/), []])
    expect(stderr).toMatch(
      new RegExp(`To put it back:\n  continuation-point settings restore ${path} --remove\n$`),
    )
    const { cookie_transfer_enabled: _same, start_muted: _other, ...replaced } = stale
    expect(JSON.parse(placed[path] ?? '')).toEqual({
      schemaVersion: 1,
      accounts: [
        {
          service: expect.stringMatching(/v2$/),
          keys: { salt: expect.any(String), apiKey: expect.any(String) },
          before: replaced,
          after: expect.objectContaining({ cookie_transfer_proxying: true }),
        },
      ],
    })
    expect(Object.keys((await settings('apply --remove --save x.json', { file })).placed)).toEqual(['x.json'])
  })

  test('quotes the files in the command that undoes it', async () => {
    const { file } = await startAccount(stale, stale, inStep, inStep)
    const io = fakeIo({ "the shop's.json": file }, { REST_KEY: 'rest-key' })
    const words = ['--remove', '--config', "the shop's.json", '--save', 'what was.json']
    const { code, stderr } = await runCommand(['settings', 'apply', ...words], io)
    expect(code).toBe(0)
    expect(stderr).toContain(
      "  continuation-point settings restore 'what was.json' --remove --config 'the shop'\\''s.json'\n",
    )
  })

  test('changes nothing if what it replaces can’t be kept', async () => {
    const { file, asked } = await startAccount(stale, stale)
    const placeFile = async () => {
      throw Object.assign(new Error(), { code: 'ENOSPC' })
    }
    const { code, stderr } = await settings('apply --remove', { file, io: { placeFile } })
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('its disk is full. Name another file with --save'),
    ])
    expect(asked()).not.toContain('PATCH /company/options/')
  })

  test.each(['config.json', 'earlier.json'])(
    'changes nothing if what it replaces would take the place of %s',
    async (name) => {
      const { file, asked } = await startAccount(stale, stale)
      const setup = { file, files: { 'earlier.json': '{}' } }
      const { code, stderr, placed } = await settings(`apply --remove --save ${name}`, setup)
      expect([code, placed]).toEqual([3, {}])
      expect(stderr).toContain(`${name}, which exists already. Name another file with --save`)
      expect(asked()).not.toContain('PATCH /company/options/')
    },
  )

  test.each([
    ['another team adds a point', { cookie_transfer_urls: [...stale.cookie_transfer_urls, pointUrl] }],
    ['another user applies the same', inStep],
    ['a switch changes', { cookie_transfer_enabled: false }],
  ])('changes nothing if %s meanwhile', async (_what, change) => {
    const { file, asked } = await startAccount(stale, { ...stale, ...change })
    const { code, stderr, placed } = await settings('apply', { file, typed: 'y' })
    expect([code, placed]).toEqual([3, {}])
    expect(stderr).toContain('the account: not changed, since its settings are no longer what was shown')
    expect(asked()).toEqual(['GET /company/options/', 'GET /company/options/'])
  })

  test('changes nothing the second time', async () => {
    const { file, asked } = await startAccount(inStep)
    expect(await settings('apply', { file })).toMatchObject({ code: 0, stdout: '' })
    expect(asked()).toEqual(['GET /company/options/'])
  })

  test('--dry-run shows and changes nothing', async () => {
    const { file, asked } = await startAccount(stale)
    expect(await settings('apply --dry-run', { file, typed: 'y' })).toMatchObject({
      code: 0,
      stdout: staleDiff,
      asked: [],
    })
    expect(asked()).toEqual(['GET /company/options/'])
  })

  test.each([
    ['y', true],
    [' YES ', true],
    ['n', false],
    ['', false],
    ['yesterday', false],
  ])('at a terminal it asks: %j', async (typed, changes) => {
    const { file, asked } = await startAccount(stale, stale, inStep, inStep)
    const { code, asked: questions } = await settings('apply', { file, typed })
    expect([code, questions.length]).toEqual([changes ? 0 : 1, 1])
    expect(asked().includes('PATCH /company/options/')).toBe(changes)
  })
})

describe('without a REST key', () => {
  const file = toFile('https://x.example/v2', {
    apiKey: undefined,
    points: [pointUrl.replace('www', 'WWW')],
    backTransfer: false,
  })
  const sheet = `In the settings of the account, in this order:

1. cookie_transfer_urls lists these, besides those of other hosts:
     https://www.example.com/service_cookie_transfer/
2. cookie_transfer_scopes lists these, besides those of other hosts:
     name  domain           path  httponly
     sid   www.example.com  /     yes
3. enable_cookie_backtransfer is off
4. cookie_transfer_enabled is on
5. cookie_transfer_proxying is on
`
  test('sheet prints what to type in the dashboard', async () => {
    expect(await settings('sheet', { file, env: {} })).toMatchObject({ code: 0, stdout: sheet, stderr: '' })
  })

  test.each(['apply', 'diff', 'show'])('%s ends with it', async (action) => {
    const { code, stdout, stderr } = await settings(action, { file, env: {} })
    expect([code, stdout]).toEqual([3, sheet])
    expect(stderr).toContain('there is no REST key')
  })
})

describe('a config with errors', () => {
  const faulty = { pages: ['https://www.example.net/'] }
  const keyless = toFile('https://x.example/v2', { ...faulty, apiKey: undefined })

  test.each<[string, string, boolean]>([
    ['apply', 'apply these fixes first, or apply the settings anyway with --force.\n', false],
    ['sheet', 'apply these fixes first.\n', false],
    ['diff', 'apply these fixes first.\n', false],
    ['apply --force', 'Overriding url/cross-site', true],
  ])('without a key, %s prints no sheet unless forced', async (line, message, isForced) => {
    const { code, stdout, stderr } = await settings(line, { file: keyless, env: {} })
    expect([code, stdout !== '', stderr.includes('type what is above')]).toEqual([
      isForced ? 3 : 1,
      isForced,
      isForced,
    ])
    expect(stderr).toContain(message)
  })

  test('is not applied, and the service is not asked', async () => {
    const { baseUrl, arrivals } = await startStub({ body: stale })
    const points = [{ url: pointUrl, widgetKey: 'k', plan: 'p' }]
    const { code, stderr } = await settings('apply', { file: toFile(baseUrl, { ...faulty, points }) })
    expect([code, arrivals]).toEqual([1, []])
    expect(stderr).toContain('url/cross-site')
  })
})

// What else may go wrong is in test/api/faults.test.ts.
describe('a refusal of the service exits 3', () => {
  test('a setting that it refuses is named, in our own words only', async () => {
    const errors = { cookie_transfer_scopes: ['0/domain is bad'], other: ['no'] }
    const { baseUrl } = await startStub({ body: stale }, { body: stale }, { status: 400, body: { errors } })
    const { code, stderr } = await settings('apply --remove', { file: toFile(baseUrl) })
    expect(code).toBe(3)
    expect(stderr).toContain('(status 400). It rejected cookie_transfer_scopes, other.\n')
    expect(stderr).not.toContain('is bad')
  })

  test('a body that is not what the service documents', async () => {
    const { baseUrl } = await startStub({ body: { cookie_transfer_urls: 'https://www.example.com/' } })
    const { code, stderr } = await settings('diff', { file: toFile(baseUrl) })
    expect(code).toBe(3)
    expect(stderr).toContain('/cookie_transfer_urls is not an array')
  })
})

describe('a usage error or an insufficient config exits 2, and every fault is named', () => {
  const api = 'https://x.example/v2'
  const file = toFile(api)
  test.each<readonly [line: string, Setup, words: readonly string[]]>([
    ['--dry-run', {}, ['settings needs show, diff, apply, restore or sheet']],
    ['restore', {}, ['restore needs the FILE']],
    ['apply x.json', {}, ['unexpected argument "x.json"']],
    ['restore x.json --force', {}, ['--force is only for apply']],
    ['restore x.json --remove-foreign', {}, ['--remove-foreign is only for apply']],
    ['diff --save x.json', {}, ['--save is only for apply and restore']],
    ['restore x.json', { file }, ["x.json can't be read: it does not exist"]],
    [
      'restore config.json',
      { file },
      ["config.json can't be restored: it is not a file that settings apply has kept"],
    ],
    ['aply', {}, ['not "aply", did you mean apply?']],
    [
      'diff',
      { env: { CONTINUATION_POINTS: 'https://www.example.com/x' } },
      [
        ...['there is no config', 'service.api and service.url are missing'],
        ...['there is no REST key', 'CONTINUATION_POINTS'],
      ],
    ],
    ['show', { file: toFile(api.replace('https', 'http')) }, ['plain http', 'an https URL']],
    ['apply', { file: toFile(api, { points: ['https://www.example.com/'] }) }, ['url/prefix']],
    ['diff', { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }, ['NODE_TLS_REJECT_UNAUTHORIZED']],
  ])('%s with %j: %s', async (line, setup, words) => {
    const { code, stdout, stderr } = await settings(line, setup)
    expect([code, stdout]).toEqual([2, ''])
    for (const each of words) expect(stderr).toContain(each)
  })

  test('of a widget key alone, whose variable is not set, only that', async () => {
    const file = toFile('https://x.example/v2', { apiKey: undefined, widgetKey: 'env:WIDGET_KEY' })
    const { code, stderr } = await settings('diff', { file })
    expect([code, stderr]).toEqual([2, 'config.json:1:198 /widgetKey: the variable WIDGET_KEY is not set\n'])
    expect((await settings('apply', { file })).stderr).toContain('there is no REST key')
  })
})
