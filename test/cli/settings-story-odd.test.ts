import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Arrival, startStub } from '../api/support/stub-service.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { startProgram } from '../support/program.ts'
import { until } from '../support/until.ts'
import { openCommandLine } from './fake-io.ts'

const url = 'https://www.example.com/service_cookie_transfer/'
const bank = 'https://bank.example.com/service_cookie_transfer/'
const sid = { name: 'sid', domain: 'www.example.com', path: '/', httponly: true }
const inStep = { cookie_transfer_enabled: true, cookie_transfer_proxying: true, cookie_transfer_urls: [url] }

/** A service with these options, which a PATCH changes. */
const startAccount = async (options: object) => {
  let now: object = options
  const { baseUrl, arrivals } = await startStub(({ method, body }: Arrival) => {
    if (method === 'PATCH') now = { ...now, ...(body as object) }
    return { body: now }
  })
  return { api: baseUrl, arrivals, now: () => now }
}
const openCli = () => {
  const cli = openCommandLine({}, { API_KEY: 'rest-key' })
  return (config: object, ...words: string[]) =>
    cli({ apiKey: 'rest-key', points: [url], ...config }, ...words)
}
const run = (config: object, ...words: string[]) => openCli()(config, ...words)

describe('an account that lists what is not documented', () => {
  const broken = {
    ...inStep,
    cookie_transfer_urls: [null, bank, 7],
    cookie_transfer_scopes: ['x', sid, null],
  }
  const names = ['cookie_transfer_urls[0]', 'cookie_transfer_urls[2]', 'cookie_transfer_scopes[0]']

  it('apply leaves that as it is, names it, and applies the rest; restore too', async () => {
    const { api, now } = await startAccount(broken)
    const config = { service: { api }, cookies: [] }
    const run = openCli()
    const applied = await run(config, 'settings', 'apply', '--remove', '--save', 'x.json')
    expect(applied.code).toBe(0)
    for (const name of names)
      expect(applied.stderr).toMatch(
        new RegExp(`^Left alone, since it is not .*: ${name.replace(/\W/g, '\\$&')}$`, 'm'),
      )
    expect(now()).toMatchObject({
      cookie_transfer_urls: [bank, url, null, 7],
      cookie_transfer_scopes: ['x', null],
    })
    expect((await run(config, 'settings', 'restore', 'x.json', '--remove')).code).toBe(0)
    expect(now()).toMatchObject({
      cookie_transfer_urls: [bank, null, 7],
      cookie_transfer_scopes: [sid, 'x', null],
    })
  })

  it.each([['settings diff'], ['settings show'], ['check --only account']])(
    '%s goes on, and names it',
    async (line) => {
      const { api } = await startAccount({ ...broken, cookie_transfer_urls: [null, url, 7] })
      const config = { service: { api }, cookies: [sid] }
      const { code, stdout, stderr } = await run(config, ...line.split(' '))
      expect(code).toBe(0)
      for (const name of names) expect(stdout + stderr).toContain(name)
    },
  )

  it('init --from-account leaves it out, and says so', async () => {
    const { api } = await startAccount(broken)
    const words = ['--from-account', '--service', api.replace('/v2', ''), '--output', 'new.json']
    const { code, stderr } = await run({}, 'init', ...words)
    expect(code).toBe(0)
    for (const name of names) expect(stderr).toContain(`${name} of the account is left out: it is not `)
  })
})

describe('back-transfer, which is on in the account', () => {
  const isOn = { ...inStep, enable_cookie_backtransfer: true }
  it('is left alone by a config without backTransfer', async () => {
    const { api, arrivals } = await startAccount(isOn)
    const config = { service: { api } }
    for (const word of ['diff', 'apply'])
      expect(await run(config, 'settings', word)).toMatchObject({ code: 0, stdout: '' })
    expect((await run(config, 'check', '--only', 'account')).stdout).not.toContain('back-transfer')
    expect((await run({ points: [url] }, 'settings', 'sheet')).stdout).not.toContain('backtransfer')
    expect(arrivals.filter(({ method }) => method === 'PATCH')).toEqual([])
    const plans = { basic: { enable_cookie_backtransfer: true } }
    const onPlan = { plans, points: [{ url, plan: 'basic' }] }
    expect((await run(onPlan, 'check', '--offline')).stdout).not.toContain('config/plan')
  })

  it('is switched off by an explicit false', async () => {
    const { api, now } = await startAccount(isOn)
    const config = { service: { api }, backTransfer: false }
    expect((await run(config, 'settings', 'diff')).code).toBe(1)
    expect((await run(config, 'settings', 'apply')).code).toBe(0)
    expect(now()).toMatchObject({ enable_cookie_backtransfer: false })
  })
})

it.each(['settings diff', 'settings apply', 'settings restore pipe', 'check', 'render nginx', 'serve'])(
  'Ctrl-C ends %s at once, which waits for a pipe that nobody writes',
  async (line) => {
    const { folder, pipe } = makePipe()
    const service = { url: 'https://cobrowse.example.net' }
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ service, apiKey: 'rest-key', points: [url] }),
    )
    const flag = line === 'settings restore pipe' ? [] : ['--config', pipe]
    const program = startProgram([...line.split(' '), ...flag], { cwd: folder })
    // It is in the kernel's list of open files once it waits.
    await until(() => opens(program.child.pid, pipe))
    program.signal('SIGINT')
    expect(await program.ended()).toBe(130)
  },
)

it('a config may come from a pipe that is written slowly', async () => {
  const { pipe } = makePipe()
  const program = startProgram(['settings', 'sheet', '--config', pipe])
  await until(() => opens(program.child.pid, pipe))
  const text = JSON.stringify({ points: [url] })
  execFileSync('sh', ['-c', 'printf %s "$1" >"$0"', pipe, text])
  expect([await program.ended(), program.stdout()]).toEqual([0, expect.stringContaining(url)])
})

it.each<[string, (body: object) => object | undefined]>([
  ['cut', () => undefined],
  ['no JSON', () => ({ body: '<html>' })],
  ['a 502', () => ({ status: 502 })],
])(
  'the answer to a change is %s: nobody knows whether it was made, and that is said',
  async (_what, answer) => {
    const { baseUrl } = await startStub(({ method, body }, outgoing) => {
      if (method !== 'PATCH') return { body: {} }
      const answered = answer(body as object)
      if (answered === undefined) outgoing.destroy()
      return answered
    })
    const { code, stderr } = await run({ service: { api: baseUrl } }, 'settings', 'apply')
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('may or may not have been made: settings diff shows what differs now.'),
    ])
  },
)

it('init says how long it waits for the service', async () => {
  const { baseUrl } = await startStub({ status: 429, headers: { 'retry-after': '1' } }, { body: inStep })
  const words = ['--from-account', '--service', baseUrl.replace('/v2', ''), '--output', 'new.json']
  const { code, stderr } = await run({}, 'init', ...words)
  expect([code, stderr]).toEqual([0, expect.stringContaining('Waiting 1 s: ')])
})

it.each<[string, RegExp]>([
  ['json', /^\{[\s\S]*"exitCode": 3,\n {2}"accounts": \[\]\n\}\n$/],
  ['github', /^$/],
])('without a key diff --format %s has no text among its report', async (format, expected) => {
  const config = { service: { url: 'https://cobrowse.example.net' }, apiKey: undefined }
  const { code, stdout, stderr } = await run(config, 'settings', 'diff', '--format', format)
  expect([code, stdout]).toEqual([3, expect.stringMatching(expected)])
  expect(stderr).toContain(`     ${url}\n`)
})

function makePipe() {
  const folder = openFolderOfTest()
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  return { folder, pipe }
}

const opens = async (pid: number | undefined, path: string) => {
  const found = execFileSync('sh', ['-c', 'ls -l /proc/"$0"/fd 2>/dev/null || true', String(pid)])
  return found.includes(` -> ${path}\n`)
}
