import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/arguments.ts'
import { command } from '../../src/cli/check.ts'
import { demoAccount } from '../../src/sandbox/account.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { type Faults, type FrontEnd, startFrontEnd, withField } from '../support/front-ends/front-end.ts'
import { closedPort } from '../support/front-ends/raw-front-end.ts'
import { startProgram } from '../support/program.ts'
import { fakeIo } from './fake-io.ts'

const prefix = '/service_cookie_transfer/'

let sandbox: Sandbox
let frontEnd: FrontEnd
let faults: Faults = {}

beforeAll(async () => {
  sandbox = await startSandbox()
  frontEnd = await startFrontEnd(sandbox.url, {
    faults: {
      answer: (arrived, site) => faults.answer?.(arrived, site),
      request: (forwarded, arrived, site) => faults.request?.(forwarded, arrived, site) ?? {},
      response: (answer, site, arrived) => faults.response?.(answer, site, arrived) ?? {},
    },
  })
})

afterAll(() => Promise.all([frontEnd.close(), sandbox.close()]))

/** A whole setup: what the config says, what the account says, what the front end does wrong. */
interface Setup {
  readonly points: readonly string[]
  readonly pages: readonly string[]
  readonly cookies: readonly {
    readonly name: string
    readonly domain: string
    readonly path: string
    readonly httponly: boolean
  }[]
  /** What the account has otherwise than the config. */
  readonly account: Parameters<typeof demoAccount>[0]
  readonly faults: Faults
  readonly flags: readonly string[]
}

interface Mistake {
  readonly name: string
  readonly rule: string
  /** Further errors that the one fix ends too. */
  readonly also?: readonly string[]
  readonly broken: (right: Setup) => Setup
  /** What the fix has to say, word for word. */
  readonly says: (right: Setup) => string
  /** Applies what the fix says; the text that `says` gave is in it. */
  readonly fixed: (broken: Setup, said: string, right: Setup) => Setup
}

const mistakes: readonly Mistake[] = [
  {
    name: 'the wrong site',
    rule: 'url/cross-site',
    also: ['page/no-point', 'cookie/never-sent'],
    broken: (right) => ({
      ...right,
      points: right.points.map((url) => url.replace('www.shop', 'www.other')),
    }),
    says: ({ points }) => points[0] ?? '',
    fixed: (broken, said) => ({ ...broken, points: [said] }),
  },
  {
    name: 'http for https',
    rule: 'url/mixed-content',
    also: ['page/no-point'],
    broken: (right) => ({
      ...right,
      flags: ['--offline'],
      points: [`http://www.example.com${prefix}`],
      pages: ['https://www.example.com/'],
      cookies: right.cookies.map((cookie) => ({ ...cookie, domain: 'www.example.com' })),
    }),
    says: () => `https://www.example.com${prefix}`,
    fixed: (broken, said) => ({ ...broken, points: [said] }),
  },
  {
    name: 'a cookie path without a point',
    rule: 'cookie/path-not-covered',
    broken: (right) => ({
      ...right,
      cookies: right.cookies.map((cookie) => ({ ...cookie, path: '/checkout' })),
    }),
    says: ({ points }) => (points[0] ?? '').replace(prefix, `/checkout${prefix}`),
    fixed: (broken, said) => ({ ...broken, points: [...broken.points, said] }),
  },
  {
    name: 'a wrong key',
    rule: 'live/widget-key',
    broken: (right) => ({
      ...right,
      faults: { request: ({ fields }) => ({ fields: withField(fields, 'X-Widget-Key', 'demo-api-key') }) },
    }),
    says: () => 'Set X-Widget-Key to the key in the widget code',
    fixed: rightFrontEnd,
  },
  {
    name: 'a URL that is not in the account',
    rule: 'account/url-not-registered',
    broken: (right) => ({ ...right, account: { cookie_transfer_urls: [] } }),
    says: ({ points }) => `Add ${points[0]} to cookie_transfer_urls`,
    fixed: rightAccount,
  },
  {
    name: 'a front end that redirects',
    rule: 'live/redirect',
    broken: (right) => ({
      ...right,
      faults: {
        answer: ({ target }, { authority }) => ({
          status: 301,
          fields: ['Location', `https://${authority}${target}`],
        }),
      },
    }),
    says: () => `Except ${prefix} from the rule that redirects`,
    fixed: rightFrontEnd,
  },
  {
    name: 'cached answers',
    rule: 'live/cached',
    broken: (right) => ({
      ...right,
      faults: { response: ({ fields }) => ({ fields: [...fields, 'X-Cache', 'HIT'] }) },
    }),
    says: () => `Bypass every cache for ${prefix}*`,
    fixed: rightFrontEnd,
  },
  {
    name: 'lost Set-Cookie lines',
    rule: 'live/set-cookie',
    broken: (right) => ({
      ...right,
      faults: { response: ({ fields }) => ({ fields: withField(fields, 'Set-Cookie') }) },
    }),
    says: () => 'Give every Set-Cookie line back as it came',
    fixed: rightFrontEnd,
  },
  {
    name: 'scopes that differ',
    rule: 'account/scopes-differ',
    broken: (right) => ({
      ...right,
      account: {
        cookie_transfer_scopes: right.cookies.map((cookie) => ({ ...cookie, domain: `.${cookie.domain}` })),
      },
    }),
    says: () => 'Write the scopes of the config to the account',
    fixed: rightAccount,
  },
  {
    name: 'the wrong host for the service',
    rule: 'live/forwarded',
    broken: (right) => ({
      ...right,
      faults: {
        request: ({ fields }, _arrived, { authority }) => ({ fields: withField(fields, 'Host', authority) }),
      },
    }),
    says: () => `with Host ${new URL(sandbox.url).host}`,
    fixed: rightFrontEnd,
  },
]

describe.sequential('a typical mistake', () => {
  it.each(mistakes)('$name: one finding, $rule, and its fix makes it green', async (mistake) => {
    const right = rightSetup()
    const broken = mistake.broken(right)
    const before = await check(broken)
    expect(before.code).toBe(1)
    expect(before.failures.map(({ id }) => id)).toEqual([mistake.rule, ...(mistake.also ?? [])])
    const said = mistake.says(right)
    expect(before.failures[0]?.fix).toContain(said)
    const after = await check(mistake.fixed(broken, said, right))
    expect(after.failures).toEqual([])
    expect(after.code).toBe(0)
  })
})

describe.sequential('the command', () => {
  it('says what it asks, on stderr alone', async () => {
    const { stderr, report } = await check(rightSetup())
    expect(stderr).toBe(`Asking ${new URL(frontEnd.origin).host}, ${new URL(sandbox.url).host}.\n`)
    expect(report).toMatchObject({ mode: 'live', exitCode: 0 })
  })

  it('exits with 1 when the point refuses', async () => {
    const point = `http://www.shop.localhost:${await closedPort()}${prefix}`
    const { code, failures } = await runCheck([point, '--resolve', 'www.shop.localhost:127.0.0.1'], {})
    expect([code, failures.map(({ id }) => id)]).toEqual([1, ['live/connect']])
  })

  it('exits with 3 when nothing could be told', async () => {
    faults = { answer: () => ({ status: 200, fields: ['Content-Type', 'text/html'] }) }
    const { code, failures } = await runCheck([`${frontEnd.origin}${prefix}`], {})
    expect([code, failures]).toEqual([3, []])
  })

  it('goes on without a secret that can not be read', async () => {
    faults = {}
    sandbox.setAccount(demoAccount({ cookie_transfer_urls: rightSetup().points }))
    const config = { service: { url: sandbox.url }, widgetKey: 'env:NOT_SET', points: rightSetup().points }
    const { code, stderr, report } = await runCheck(['--config', 'c.json'], {
      'c.json': JSON.stringify(config),
    })
    expect(code).toBe(0)
    expect(stderr).toContain('the variable NOT_SET is not set')
    const account = report.checks.filter(({ id }) => id.startsWith('account/'))
    expect(new Set(account.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']))
  })

  it.each([
    [['--resolve', 'nonsense'], '--resolve "nonsense": it is neither HOST:IP nor HOST:PORT:IP'],
    [['--ca-file', 'missing.pem'], "--ca-file can't be read: it does not exist"],
    [['--ca-file', 'no.pem'], '--ca-file holds no certificate that can be read'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await runCheck([`${frontEnd.origin}${prefix}`, ...flags], { 'no.pem': 'text' })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('prints no key, wherever one stands', async () => {
    const setup = { ...rightSetup(), faults: { request: withKey('demo-widget-key-of-another') } }
    const { text, stderr } = await check(setup)
    expect(text + stderr).not.toMatch(/demo-widget-key|demo-api-key|forged-continuation/)
  })
})

describe('the program', () => {
  it('finds the demo green', async () => {
    const demo = startProgram(['demo', '--port', '0'])
    try {
      const [, root = ''] = await demo.printed(/point on \/ +(\S+)/)
      const [, checkout = ''] = await demo.printed(/one on \/checkout +(\S+)/)
      const checker = startProgram(['check', root, checkout, '--page', new URL('/', root).href])
      expect(await checker.ended()).toBe(0)
      expect(checker.stdout()).toMatch(/^no findings/)
    } finally {
      demo.signal('SIGTERM')
      await demo.ended()
    }
  })
})

function rightSetup(): Setup {
  return {
    points: [`${frontEnd.origin}${prefix}`],
    pages: [`${frontEnd.origin}/`],
    cookies: [{ name: 'sid', domain: 'www.shop.localhost', path: '/', httponly: true }],
    account: {},
    faults: {},
    flags: [],
  }
}

function rightFrontEnd(broken: Setup): Setup {
  return { ...broken, faults: {} }
}

function rightAccount(broken: Setup): Setup {
  return { ...broken, account: {} }
}

function withKey(key: string): NonNullable<Faults['request']> {
  return ({ fields }) => ({ fields: withField(fields, 'X-Widget-Key', key) })
}

async function check(setup: Setup) {
  const { points, pages, cookies, account } = setup
  faults = setup.faults
  sandbox.setAccount(
    demoAccount({ cookie_transfer_urls: points, cookie_transfer_scopes: cookies, ...account }),
  )
  const config = { service: { url: sandbox.url }, widgetKey: 'demo-widget-key', points, pages, cookies }
  return runCheck(['--config', 'c.json', ...setup.flags], { 'c.json': JSON.stringify(config) })
}

interface JsonReport {
  readonly mode: string
  readonly checks: readonly {
    readonly id: string
    readonly outcome: string
    readonly severity: string
    readonly fix?: string
  }[]
}

async function runCheck(words: readonly string[], files: Readonly<Record<string, string>>) {
  const io = fakeIo(files)
  const parsed = parseArguments([...words, '--format', 'json'], command)
  if (parsed.kind !== 'arguments') throw new Error('The words are no arguments')
  const code = await command.run(parsed.args as Parameters<typeof command.run>[0], io)
  const { stdout: text, stderr } = io.written
  const report: JsonReport = text === '' ? { mode: '', checks: [] } : JSON.parse(text)
  const failures = report.checks.filter(({ outcome, severity }) => outcome === 'fail' && severity === 'error')
  return { code, text, stderr, report, failures }
}
