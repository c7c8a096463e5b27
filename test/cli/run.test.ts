import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { version } from '../../src/cli/version.ts'
import { type FakeIo, fakeIo, runCommand } from './fake-io.ts'

const runWords = (...words: string[]) => runCommand(words)

test('no arguments: the overview, as a message', async () => {
  expect(await runWords()).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Usage: continuation-point COMMAND'),
  })
})

describe('what was asked for goes to stdout', () => {
  test.each([
    ['--help', 'Usage: continuation-point COMMAND'],
    ['-h', 'Usage: continuation-point COMMAND'],
    ['serve --help', 'Usage: continuation-point serve'],
    ['serve -h --unknown', 'Usage: continuation-point serve'],
    ['--version', `${version}\n`],
    ['serve --version', `${version}\n`],
    ['help', 'Usage: continuation-point COMMAND'],
    ['help serve', 'Usage: continuation-point serve'],
    ['help --help', 'Usage: continuation-point COMMAND'],
  ])('%s', async (line, start) => {
    const { code, stdout, stderr } = await runWords(...line.split(' '))
    expect([code, stderr, stdout.slice(0, start.length)]).toEqual([0, '', start])
  })
})

describe('a usage error is one message that says where help is', () => {
  test.each([
    ['rende', 'unknown command "rende", did you mean render?', ''],
    ['zzzzzzzz', 'unknown command "zzzzzzzz"', ''],
    ['help rende', 'unknown command "rende", did you mean render?', ''],
    ['toString', 'unknown command "toString"', ''],
    ['--verison', 'expected a command, not --verison, did you mean --version?', ''],
    ['--config', 'expected a command, not --config', ''],
    ['serve --zzz', 'unknown flag --zzz', ' serve'],
    ['serve --versoin', 'unknown flag --versoin, did you mean --version?', ' serve'],
    ['serve extra', 'unexpected argument "extra"', ' serve'],
    ['check --json', 'unknown flag --json, did you mean --format json?', ' check'],
    ['check --no-color', 'unknown flag --no-color, did you mean --color never?', ' check'],
    ['check ', 'an argument is empty, in place of [URL…]', ' check'],
    ['serve --port x', '--port must be a whole number from 0 to 65535', ' serve'],
    [
      'init www.example.com mailto:a --prefix x',
      ['"mailto:a" is not an http or https URL', '--prefix "x": it does not begin with a slash'].join(
        '\ncontinuation-point: ',
      ),
      ' init',
    ],
    ['settings diff --dry-run', '--dry-run is only for apply and restore', ' settings'],
    ['https://u:p@a.example/?q=1', 'unknown command "https://…@a.example/?…"', ''],
    [
      'check --explain http://u@a.example/b?c',
      'there is no rule "http://…@a.example/b?…"; run check --explain for a list',
      ' check',
    ],
  ])('%j', async (line, message, command) => {
    expect(await runWords(...line.split(' '))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `continuation-point: ${message}\nSee continuation-point${command} --help.\n`,
    })
  })
})

test.each(['--help', ...commands.map(({ name }) => `${name} --help`)])(
  '%s fits 80 columns, and is wrapped at a narrow terminal',
  async (line) => {
    const linesOver = async (columns: number, io: FakeIo) => {
      const { code, stdout } = await runCommand(line, io)
      expect(code).toBe(0)
      return stdout.split('\n').filter((each) => each.length > columns)
    }
    expect(await linesOver(80, fakeIo())).toEqual([])
    const long = await linesOver(60, { ...fakeIo(), stdoutColumns: 60 })
    // What can be copied stays whole.
    expect(long.filter((each) => !each.startsWith('  '))).toEqual([])
  },
)

test('the overview names every command', async () => {
  const { stdout } = await runWords('--help')
  for (const { name, summary } of commands)
    expect(stdout).toMatch(new RegExp(`^  ${name} {2,}${summary}$`, 'm'))
  expect(stdout.match(/^\S.*:$/gm)).toEqual(['Every day:', 'Account:', 'Testing:', 'Options:'])
})

test('a very long argument is looked through once', async () => {
  const word = 'a'.repeat(200_000)
  expect((await runWords('serve', word)).stderr).toContain(`unexpected argument "${word}"`)
})
