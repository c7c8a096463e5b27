import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { openForTest } from '../support/open-for-test.ts'
import { runProgram } from '../support/program.ts'

/** The built program, as a shell runs it; `npm test` builds it first. */
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

const root = fileURLToPath(new URL('../..', import.meta.url))

const runMain = (words: readonly string[], nodeFlags: readonly string[] = []) =>
  runProgram(words, { nodeFlags })

test('--version prints the version of the package, then that of the Public Suffix List', async () => {
  const versionIn = async (path: string) =>
    JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')).version
  const stdout = `${await versionIn('package.json')}\nPublic Suffix List of tldts ${await versionIn('node_modules/tldts/package.json')}\n`
  expect(await runMain(['--version'])).toEqual({ code: 0, stdout, stderr: '' })
})

test('schema prints the complete packaged file into a pipe', async () => {
  const schema = await readFile(new URL('../../config.schema.json', import.meta.url), 'utf8')
  expect(await runMain(['schema'])).toEqual({ code: 0, stdout: schema, stderr: '' })
})

test.skipIf(!existsSync('/dev/zero'))('a config without an end is refused', async () => {
  expect(await runMain(['check', '--offline', '--config', '/dev/zero'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `/dev/zero: the config can't be read: it is larger than 16 MiB
  expected a readable file; name another with --config
`,
  })
})

test.skipIf(!existsSync('/dev/stdin'))('a config is read from a pipe', async () => {
  const { code, output } = await runPiped('{ "pages": ["https://www.example.com/"], "unknown": 1 }', [
    'check',
    '--offline',
  ])
  expect([code, output]).toEqual([2, expect.stringContaining('unknown')])
})

test.skipIf(!existsSync('/dev/stdin'))('and once, whatever is done with it', async () => {
  const sandbox = await openForTest(startSandbox())
  const { apiKey } = sandbox.account
  const points = ['https://www.example.com/service_cookie_transfer/']
  const config = { service: { url: sandbox.url }, apiKey, points }
  const { code, output } = await runPiped(JSON.stringify(config), ['settings', 'diff'])
  expect([code, output]).toEqual([1, expect.stringContaining('cookie_transfer_urls')])
})

test('a reader that closes the pipe at once is not an error', async () => {
  const child = spawn(process.execPath, [main, 'schema'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  child.stdout.destroy()
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  expect([code, stderr]).toEqual([0, ''])
})

test.skipIf(!existsSync('/dev/full'))('a full disk is reported as such, and nothing as done', async () => {
  const full = await openForTest(open('/dev/full', 'w'))
  const sandbox = await openForTest(startSandbox())
  const folder = openFolderOfTest()
  const config = join(folder, 'config.json')
  await writeFile(config, JSON.stringify({ service: { url: sandbox.url }, apiKey: sandbox.account.apiKey }))
  const history = ['history', 'export', '--from', '2026-01-01', '--format', 'csv', '--config', config]
  const words = ['check', '--offline', 'https://www.example.com/service_cookie_transfer/', '--format', 'json']
  for (const each of [['schema'], words, history, ['settings', 'show', '--config', config]]) {
    const child = spawn(process.execPath, [main, ...each], { stdio: ['ignore', full.fd, 'pipe'] })
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
    expect([code, stderr]).toEqual([
      3,
      "continuation-point: can't write to standard output (ENOSPC): free space, or write elsewhere\n",
    ])
  }
})

/** A Node where reading the packaged schema does what the expression says; its own loader reads files too. */
const withReadFile = (expression: string): readonly string[] => {
  const module = `
    import files from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { readFile } = files
    const fault = ${expression}
    files.readFile = (path, ...rest) => (String(path).endsWith('config.schema.json') ? fault() : readFile(path, ...rest))
    syncBuiltinESMExports()`
  return ['--import', `data:text/javascript,${encodeURIComponent(module)}`]
}

test('an error of our own names itself, and its message stays inside', async () => {
  const flags = withReadFile(
    `async () => { throw Object.assign(new TypeError('top secret'), { code: 'EBROKEN' }) }`,
  )
  expect(await runMain(['schema'], flags)).toEqual({
    code: 3,
    stdout: '',
    stderr: 'internal error: TypeError EBROKEN\n',
  })
})

test.skipIf(process.platform === 'win32')('an interrupted command exits 130', async () => {
  const flags = withReadFile(
    `() => new Promise((resolve) => { setInterval(() => {}, 1000); console.log('waiting') })`,
  )
  const child = spawn(process.execPath, [...flags, main, 'schema'], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.once('data', () => child.kill('SIGINT'))
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  expect(code).toBe(130)
})

test.each([
  ['in a clone', { cwd: root, env: {} }, 'npx continuation-point'],
  ['started by npm', { cwd: tmpdir(), env: { npm_command: 'exec' } }, 'npx continuation-point'],
  ['installed', { cwd: tmpdir(), env: {} }, 'continuation-point'],
])('%s, messages name commands that can be typed', async (_where, { cwd, env }, name) => {
  const refused = await runProgram(['serve', '--config', 'absent.json', '--tset'], { cwd, env })
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`\nSee ${name} serve --help.\n`),
  ])
  const checked = await runProgram(['check', '--offline', 'https://www.example.com/a/'], { cwd, env })
  expect([checked.code, checked.stdout]).toEqual([
    1,
    expect.stringMatching(new RegExp(`; ${name} explain [\\w/-]+ tells more`)),
  ])
})

/** With a config from a pipe of the shell: what Node gives a child is a socket, which can't be opened by its path. */
async function runPiped(
  config: string,
  words: readonly string[],
): Promise<{ code: unknown; output: string }> {
  const line = [process.execPath, main, ...words, '--config', '/dev/stdin']
  const child = spawn('sh', ['-c', 'cat | "$0" "$@" 2>&1', ...line], { stdio: ['pipe', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stdin.end(config)
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  return { code, output }
}
