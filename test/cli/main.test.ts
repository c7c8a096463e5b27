import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { openForTest } from '../support/open-for-test.ts'
import { runProgram, startProgram } from '../support/program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the program as this command line of the shell says, in which `"$0" "$@"` stands for it. */
const runInShell = (line: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(words, { node: 'sh', nodeFlags: ['-c', line, process.execPath], env })

/** With a config from a pipe of the shell: what Node gives a child is a socket, which can't be opened by its path. */
const runPiped = (config: string, words: readonly string[]) =>
  runInShell('printf %s "$CONFIG" | "$0" "$@"', [...words, '--config', '/dev/stdin'], { CONFIG: config })

test('--version prints the version of the package, then that of the Public Suffix List', async () => {
  const versionIn = async (path: string) =>
    JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')).version
  const stdout = `${await versionIn('package.json')}\nPublic Suffix List of tldts ${await versionIn('node_modules/tldts/package.json')}\n`
  expect(await runProgram(['--version'])).toEqual({ code: 0, stdout, stderr: '' })
})

test('a report that is larger than the buffer of a pipe is complete', async () => {
  const points = Array.from(
    { length: 100 },
    (_, at) => `https://www.example.com/${at}/service_cookie_transfer/`,
  )
  const { stdout, stderr } = await runProgram(['check', '--offline', '--format', 'json', ...points])
  expect(stderr).toBe('')
  expect(stdout.length).toBeGreaterThan(65_536)
  expect(JSON.parse(stdout)).toMatchObject({ summary: { pass: expect.any(Number) } })
})

test.skipIf(!existsSync('/dev/zero'))('a config without an end is refused', async () => {
  expect(await runProgram(['check', '--offline', '--config', '/dev/zero'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `/dev/zero: the config can't be read: it is larger than 4 MiB
  expected the path of a readable file
`,
  })
})

test.skipIf(!existsSync('/dev/stdin'))('a config is read from a pipe', async () => {
  const config = '{ "pages": ["https://www.example.com/"], "unknown": 1 }'
  const { code, stderr } = await runPiped(config, ['check', '--offline'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('unknown key "unknown"')])
})

test.skipIf(!existsSync('/dev/stdin'))('and once, whatever is done with it', async () => {
  const sandbox = await openForTest(startSandbox())
  const { apiKey } = sandbox.account
  const points = ['https://www.example.com/service_cookie_transfer/']
  const config = { service: { url: sandbox.url }, apiKey, points }
  const { code, stdout } = await runPiped(JSON.stringify(config), ['settings', 'diff'])
  expect([code, stdout]).toEqual([1, expect.stringContaining('cookie_transfer_urls')])
})

test('a reader that closes the pipe at once is not an error', async () => {
  const program = startProgram(['check', '--explain'])
  program.child.stdout?.destroy()
  expect([await program.ended(), program.stderr()]).toEqual([0, ''])
})

test.skipIf(!existsSync('/dev/full'))('a full disk is reported as such, and nothing as done', async () => {
  const sandbox = await openForTest(startSandbox())
  const folder = openFolderOfTest()
  const config = join(folder, 'config.json')
  await writeFile(config, JSON.stringify({ service: { url: sandbox.url }, apiKey: sandbox.account.apiKey }))
  const words = ['check', '--offline', 'https://www.example.com/service_cookie_transfer/', '--format', 'json']
  for (const each of [['check', '--explain'], words, ['settings', 'show', '--config', config]]) {
    expect(await runInShell('"$0" "$@" >/dev/full', each)).toMatchObject({
      code: 3,
      stderr: "continuation-point: can't write to standard output (ENOSPC): free space, or write elsewhere\n",
    })
  }
})

/** Flags for a Node that runs this code before the program. */
const runningFirst = (code: string) => ['--import', `data:text/javascript,${encodeURIComponent(code)}`]

test('an error of our own names itself, and its message stays inside', async () => {
  const nodeFlags = runningFirst(
    `process.stdout.write = () => { throw Object.assign(new TypeError('top secret'), { code: 'EBROKEN' }) }`,
  )
  expect(await runProgram(['--version'], { nodeFlags })).toEqual({
    code: 3,
    stdout: '',
    stderr: 'internal error: TypeError EBROKEN\n',
  })
})

test.skipIf(process.platform === 'win32')('an interrupted command exits 130', async () => {
  const nodeFlags = runningFirst(`
    import files from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    files.stat = () => new Promise(() => { setInterval(() => {}, 1000); console.log('waiting') })
    syncBuiltinESMExports()`)
  const program = startProgram(['check', '--offline', '--config', 'config.json'], { nodeFlags })
  await program.printed(/waiting/)
  program.signal('SIGINT')
  expect(await program.ended()).toBe(130)
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
  const checked = await runProgram(['check', '--offline', 'https://com/service_cookie_transfer/'], {
    cwd,
    env,
  })
  expect([checked.code, checked.stdout]).toEqual([
    1,
    expect.stringMatching(new RegExp(`; ${name} check --explain [\\w/-]+ tells more`)),
  ])
})
