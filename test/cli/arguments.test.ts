import { describe, expect, test } from 'vitest'
import { parseArguments } from '../../src/cli/arguments.ts'
import { defineCommand } from '../../src/cli/command.ts'

const command = defineCommand({
  options: {
    config: { value: 'FILE', summary: 'file' },
    page: { value: 'URL', summary: 'page', multiple: true },
    format: { value: 'NAME', summary: 'format', choices: ['pretty', 'json'] },
    offline: { summary: 'offline' },
  },
  operands: { usage: 'URL [URL]', min: 1, max: 2 },
  run: async () => 'done',
})

const nothing = { config: undefined, page: [], format: undefined, offline: false }

describe('valid arguments', () => {
  test.each<[string, object, readonly string[]]>([
    ['u', nothing, ['u']],
    ['u v', nothing, ['u', 'v']],
    ['u --config f', { ...nothing, config: 'f' }, ['u']],
    ['--config=f u', { ...nothing, config: 'f' }, ['u']],
    ['--config - u', { ...nothing, config: '-' }, ['u']],
    ['--config=--odd u', { ...nothing, config: '--odd' }, ['u']],
    ['--page a --page=b u', { ...nothing, page: ['a', 'b'] }, ['u']],
    ['--offline --offline u', { ...nothing, offline: true }, ['u']],
    ['--format json u', { ...nothing, format: 'json' }, ['u']],
    ['-- --config --help', nothing, ['--config', '--help']],
  ])('%s', (line, values, operands) => {
    expect(parseArguments('check', line.split(' '), command)).toEqual({
      kind: 'arguments',
      args: { values, operands },
    })
  })
})

describe('global flags work in any position, whatever else is wrong', () => {
  test.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['u v w --help', 'help'],
    ['--unknown -h', 'help'],
    ['--version', 'version'],
    ['u --version', 'version'],
  ])('%s', (line, kind) => {
    expect(parseArguments('check', line.split(' '), command)).toEqual({ kind })
  })
})

describe('faults', () => {
  test.each([
    ['u --cofnig f', 'unknown flag --cofnig, did you mean --config?'],
    ['u --zzzzzzzz', 'unknown flag --zzzzzzzz'],
    ['u --zzzzzzzz=x', 'unknown flag --zzzzzzzz'],
    ['u --hepl', 'unknown flag --hepl, did you mean --help?'],
    ['u -x', 'unknown flag -x'],
    ['u --toString', 'unknown flag --toString'],
    ['u --__proto__', 'unknown flag --__proto__'],
    ['u --config', '--config needs a value: --config FILE'],
    ['u --config=', '--config needs a value: --config FILE'],
    ['u --config --offline', '--config needs a value: --config FILE'],
    ['u --config a --config b', '--config is given more than once'],
    ['u --offline=yes', '--offline takes no value'],
    ['u --format jsno', '--format is one of pretty, json, not "jsno", did you mean json?'],
    ['u --format zzzzzz', '--format is one of pretty, json, not "zzzzzz"'],
    ['--offline', 'check needs URL [URL]'],
    ['u v w', 'unexpected argument "w"'],
  ])('%s', (line, message) => {
    expect(parseArguments('check', line.split(' '), command)).toEqual({ kind: 'fault', message })
  })

  test('a command without operands takes none', () => {
    const { operands: _operands, ...bare } = command
    expect(parseArguments('check', ['u'], bare)).toEqual({
      kind: 'fault',
      message: 'unexpected argument "u"',
    })
  })
})
