import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Io } from '../../src/cli/io.ts'
import { run } from '../../src/cli/run.ts'
import { session } from '../api/support/samples.ts'
import { startStub } from '../api/support/stub-service.ts'
import { openStandIn } from '../sandbox/support/stand-in.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { type Program, startProgram } from '../support/program.ts'
import { until } from '../support/until.ts'
import { fakeIo } from './fake-io.ts'

const hour = 3_600_000
const from = Date.UTC(2026, 0, 1)
const start = (hours: number) => from + hours * hour
const start_url = '=cmd|"https://www.example.com/,"'
const page = 'https://www.example.com/'
/** One at the start of the range, one at its end, which is outside, and some on slices' borders; pages of two. */
const sessions = [-1, 0, 0, 0, 1, 1.5, 12, 12, 12, 12, 12, 23.99, 24, 25].map((hours, index) => ({
  start_url: page,
  start_time: start(hours),
  duration: 60,
  tags: [`=${index}`, start_url],
}))
const uk = {
  company_name: 'UK',
  rest_key: 'uk-rest',
  widget_key: 'uk-widget',
  sessions: sessions.slice(0, 2),
}
const { sandbox, call } = await openStandIn({ seed: { sessions, pageSize: 2, clients: [uk] } })

const point = 'https://www.example.com/service_cookie_transfer/'
const ukPoint = 'https://www.example.co.uk/service_cookie_transfer/'
const config = { service: { url: sandbox.url }, apiKey: 'env:API_KEY', points: [point] }

let folder: string
let output: string
/** Exports one day into the file. */
let line: string
beforeEach(async () => {
  folder = openFolderOfTest()
  output = join(folder, 'out')
  line = `export --from 2026-01-01 --to 2026-01-02 --output ${output}`
})

async function history(line: string, { more = {}, io = {} }: { more?: object; io?: Partial<Io> } = {}) {
  const fake = fakeIo({ 'config.json': JSON.stringify({ ...config, ...more }) }, { API_KEY: 'demo-api-key' })
  const code = await run(['history', ...line.split(' ')], { ...fake, ...io })
  expect(fake.written.stdout + fake.written.stderr).not.toContain('demo-api-key')
  return { code, ...fake.written }
}

async function startHistory(line: string, of: object): Promise<Program> {
  await writeFile(join(folder, 'config.json'), JSON.stringify(of))
  return startProgram(['history', ...line.split(' ')], { cwd: folder, env: { API_KEY: 'demo-api-key' } })
}

const tagsOf = (ndjson: string): readonly string[] =>
  ndjson
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).tags[0])
const requests = async (): Promise<readonly { path: string; query: readonly (readonly string[])[] }[]> =>
  (await call('GET /_sandbox/requests')).json.requests.filter(({ path }: { path: string }) =>
    path.startsWith('/v2/'),
  )
const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `=${first + index}`)

describe('history export', () => {
  it('writes each session of a half-open range once', async () => {
    const { code, stdout, stderr } = await history('export --from 2026-01-01 --to 2026-01-02')
    expect([code, stderr]).toEqual([0, ''])
    expect([...tagsOf(stdout)].sort()).toEqual(numbers(1, 11).sort())
    const next = await history('export --from 2026-01-02 --to 2026-01-02T02:00:00+00:00')
    expect([...tagsOf(next.stdout)].sort()).toEqual(numbers(12, 13))
    const asked = (await requests()).map(({ query }) => Object.fromEntries(query as [string, string][]))
    expect(asked.every(({ min_date, max_date }) => min_date !== undefined && max_date !== undefined)).toBe(
      true,
    )
  })

  it('writes a table in which no spreadsheet finds a formula', async () => {
    const { stdout } = await history('export --from 2026-01-01 --to 2026-01-02 --format csv')
    const lines = stdout.split('\r\n')
    expect(lines[0]).toMatch(/^session_id,.*,options$/)
    expect(lines).toHaveLength(1 + 11 + 1)
    for (const line of lines.slice(1, -1)) expect(line).toMatch(/^"[^"]+","[^"]+","\d{3}-\d{3}-\d{3}",/)
    expect(stdout).not.toMatch(/(?:^|,)"?[=+@]/m)
  })

  it('writes a file, completely or not at all, that only its owner can read', async () => {
    await writeFile(output, 'old')
    await call('POST /_sandbox/failures', { body: { path: '/history/', status: 403, count: 1 } })
    const forced = `${line} --force`
    const failed = await history(forced)
    expect(failed.code).toBe(3)
    expect(failed.stderr).toMatch(/^continuation-point: GET \/history\/: the service refused the key/)
    expect(await readFile(output, 'utf8')).toBe('old')
    const { code, stdout, stderr } = await history(forced)
    expect([code, stdout, stderr]).toEqual([0, '', `Wrote 11 sessions to ${output}.\n`])
    expect([...tagsOf(await readFile(output, 'utf8'))].sort()).toEqual(numbers(1, 11).sort())
    expect(await readdir(folder)).toEqual(['out'])
    expect((await stat(output)).mode & 0o777).toBe(0o600)
  })

  it('keeps a file that exists, unless --force is given', async () => {
    const line = `export --from 2026-02-01 --to 2026-02-02 --format csv --output ${output}`
    await writeFile(output, 'old')
    expect(await history(line)).toEqual({
      code: 2,
      stdout: '',
      stderr: `continuation-point: ${output} exists already: name another file, or replace it with --force\n`,
    })
    expect([await readFile(output, 'utf8'), await readdir(folder)]).toEqual(['old', ['out']])
    expect((await history(`${line} --force`)).stderr).toBe(`Wrote 0 sessions to ${output}.\n`)
    expect(await readFile(output, 'utf8')).toMatch(/^session_id,/)
  })

  it('says how many results it left out', async () => {
    const results = [session, { ...session, session_id: 'inside', start_time: '2026-01-01T00:30:00Z' }]
    const { baseUrl } = await startStub({ body: { next: null, previous: null, results } })
    const line = 'export --from 2026-01-01 --to 2026-01-01T01:00Z'
    const { code, stdout, stderr } = await history(line, { more: { service: { api: baseUrl } } })
    expect([code, stderr]).toEqual([
      0,
      'Left out 1 result from outside the time range that the service was asked for.\n',
    ])
    expect(JSON.parse(stdout)).toMatchObject({ session_id: 'inside' })
  })

  const interrupted = 'The export was interrupted. Run the same command again to continue it.\n'
  const answer = (status: number, headers = {}, body: unknown = {}) => ({ status, headers, body })
  it.each([
    [
      'too many calls',
      answer(429, { 'retry-after': '90' }),
      `${interrupted}…the service accepts no more calls from this address for now (status 429). Try again in 90 seconds.\n`,
    ],
    ['a service that is down', answer(500), `${interrupted}…the service failed (status 500). Try again.\n`],
    [
      'fields that it refuses',
      answer(400, {}, { errors: { min_date: ['"2026" is bad'], max_date: ['no'], '\u001b[31m': ['no'] } }),
      '…the service refused the request (status 400). It rejected min_date, max_date.\n',
    ],
    [
      'a request that it refuses',
      answer(400),
      '…the service refused the request (status 400). It does not say which field: check "service.api" and the key.\n',
    ],
    [
      'a redirect',
      answer(302, { location: 'https://www.example.com/' }),
      '…the service redirects, and redirects are not followed. Check "service.api".\n',
    ],
    [
      'a page',
      answer(200, {}, '<p>Hello</p>'),
      '…the answer is not what the service documents (the body is not JSON). Check "service.api".\n',
    ],
    [
      'an answer that is too large',
      answer(200, {}, 'x'.repeat(2 ** 25 + 1)),
      '…the answer is larger than 32 MiB. Check "service.api".\n',
    ],
  ])('names settings of the config, and says whether to run it again: %s', async (_what, response, said) => {
    const { baseUrl } = await startStub(response)
    const { code, stderr } = await history(line, { more: { service: { api: baseUrl } } })
    expect([code, stderr]).toEqual([3, said.replace('…', 'continuation-point: GET /history/: ')])
  })

  it.each(['ndjson', 'csv'])('continues where it was interrupted: %s', async (format) => {
    const line = `export --from 2026-01-01 --to 2026-01-02 --format ${format}`
    const whole = await history(line)
    const paged = (await requests()).length
    // Fails within the twelfth hour, after the first page of it.
    await call('POST /_sandbox/failures', { body: { path: '/history/', delayMs: 0, count: 15 } })
    await call('POST /_sandbox/failures', { body: { path: '/history/', status: 403, count: 1 } })
    expect((await history(`${line} --output ${output}`)).code).toBe(3)
    expect((await readdir(folder)).sort()).toEqual(['out.part', 'out.part.json'])
    const before = (await requests()).length
    const again = await history(`${line} --output ${output}`)
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Continuing an interrupted export'),
    })
    expect(await readFile(output, 'utf8')).toBe(whole.stdout)
    expect((await requests()).length - before).toBeLessThan(paged - 10)
  })

  it('keeps its previous end if none is given', async () => {
    // The first slice has all sessions: seven pages.
    await call('POST /_sandbox/failures', { body: { path: '/history/', delayMs: 0, count: 7 } })
    await call('POST /_sandbox/failures', { body: { path: '/history/', status: 403, count: 1 } })
    const line = `export --from 2026-01-01 --output ${output}`
    expect((await history(line)).code).toBe(3)
    const { identity } = JSON.parse(await readFile(`${output}.part.json`, 'utf8'))
    expect((await history(line)).code).toBe(0)
    const last = (await requests()).at(-1)
    expect(Object.fromEntries((last?.query ?? []) as [string, string][]).max_date).toBe(identity.to)
  })

  it('refuses to continue an export with different arguments', async () => {
    await call('POST /_sandbox/failures', { body: { path: '/history/', delayMs: 0, count: 3 } })
    await call('POST /_sandbox/failures', { body: { path: '/history/', status: 403, count: 1 } })
    expect((await history(line)).code).toBe(3)
    const other = await history(`${line} --format csv`)
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--format ndjson): finish that one'),
    })
    expect((await history(line)).code).toBe(0)
  })

  it('refuses a second export to the same file, and the first one completes', async () => {
    await call('POST /_sandbox/failures', { body: { path: '/history/', delayMs: 600_000, count: 1 } })
    const first = await startHistory(line, config)
    await until(async () => (await readdir(folder)).includes('out.part'))
    const second = await history(line)
    expect([second.code, second.stderr]).toEqual([
      3,
      `continuation-point: another export is writing ${output}: wait for it, or name another file\n`,
    ])
    first.signal('SIGINT')
    expect(await first.ended()).toBe(130)
    expect(first.stderr()).toBe('The export was interrupted. Run the same command again to continue it.\n')
    expect(await readdir(folder)).not.toContain('out.part.lock')
    expect((await history(line)).code).toBe(0)
  })

  it('follows no link in place of an interrupted export, and names it', async () => {
    await symlink(join(folder, 'planted'), `${output}.part.lock`)
    expect(await history(line)).toMatchObject({
      code: 2,
      stderr: `continuation-point: ${output}.part.lock is a link: delete it\n`,
    })
    await rm(`${output}.part.lock`)
  })

  it('ends when its reader closes the pipe', async () => {
    let page = 0
    const { baseUrl } = await startStub(({ query }) => {
      page += 1
      const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))
      parameters.set('page', String(page))
      const results = [
        {
          ...session,
          session_id: String(page),
          start_time: '2026-01-01T00:00:00Z',
          start_url: `${start_url}${'x'.repeat(100_000)}`,
        },
      ]
      return { body: { next: `?${parameters}`, previous: null, results } }
    })
    const toStdout = 'export --from 2026-01-01 --to 2026-01-02'
    const program = await startHistory(toStdout, { ...config, service: { api: baseUrl } })
    await program.printed(/session_id/)
    program.child.stdout?.destroy()
    expect([await program.ended(), program.stderr()]).toEqual([0, ''])
    expect(page).toBeLessThan(100)
  })

  it('shows a terminal how far it is, and a log nothing', async () => {
    const { stderr } = await history(line, { io: { stderrColumns: 80 } })
    expect(stderr).toContain('\r\u001b[Khistory: part 1 of 24, 0 sessions')
    expect(stderr).toContain('history: part 24 of 24, 11 sessions')
    expect(stderr.endsWith(`\r\u001b[KWrote 11 sessions to ${output}.\n`)).toBe(true)
  })

  it('exports the account of a point, of several', async () => {
    const more = {
      widgetKey: 'demo-widget-key',
      points: [point, { url: ukPoint, widgetKey: 'uk-widget', apiKey: 'uk-rest' }],
    }
    const line = 'export --from 2025-12-31T23:00Z --to 2026-01-02T02:00Z'
    const { code, stderr } = await history(line, { more })
    expect([code, stderr]).toEqual([
      2,
      `continuation-point: the config has several accounts: choose an account by one of its points\n  --account ${point}\n  --account ${ukPoint}\n`,
    ])
    expect(tagsOf((await history(`${line} --account ${ukPoint}`, { more })).stdout)).toHaveLength(2)
    expect(tagsOf((await history(`${line} --account ${point}`, { more })).stdout)).toHaveLength(14)
    expect((await history(`${line} --account https://no.example.com/`, { more })).code).toBe(2)
  })

  it.each([
    ['exprot --from 2026-01-01', 'did you mean export?'],
    ['export', '--from is missing'],
    ['export --from yesterday', '--from "yesterday" is neither a day'],
    ['export --from 2026-01-02 --to 2026-01-02', '--to is not after --from'],
    ['export --from 2026-01-02 --force', '--force needs --output'],
    ['export --from 2026-01-02 --format xml', '--format is one of ndjson, csv'],
  ])('%s: %s', async (line, message) => {
    expect(await history(line)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })

  it.each([
    [
      'a full disk',
      'ENOSPC',
      3,
      ": can't write to standard output (ENOSPC): free space, or write elsewhere\n",
    ],
    ['a broken disk', 'EIO', 3, ": can't write to standard output (EIO): write elsewhere\n"],
    ['a reader that stops early', 'EPIPE', 0, ''],
  ])('to standard output, %s', async (_what, fault, code, message) => {
    const log: Io['log'] = (_text, taken) =>
      queueMicrotask(() => taken(Object.assign(new Error(), { code: fault })))
    expect(await history('export --from 2026-01-01 --to 2026-01-02', { io: { log } })).toEqual({
      code,
      stdout: '',
      stderr: message === '' ? '' : `continuation-point${message}`,
    })
  })

  it('says when the file can’t be written', async () => {
    const none = join(folder, 'none', 'out')
    const line = 'export --from 2026-01-01 --to 2026-01-02 --output'
    expect(await history(`${line} ${none}`)).toEqual({
      code: 2,
      stdout: '',
      stderr: `continuation-point: ${none} can't be written: its folder does not exist\n`,
    })
    expect(await history(`${line} ${folder}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a directory'),
    })
    expect(await history(`${line} /dev/null`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/dev/null is not a regular file'),
    })
  })
})
