import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { renderHelp, renderOverview } from '../../src/cli/help.ts'
import { type Program, withCommand } from '../../src/text/typed-command.ts'

const programs = ['continuation-point', 'npx continuation-point'] as const

test.each<[command: string | undefined, program: Program | undefined, text: string]>([
  [undefined, undefined, 'Set it'],
  ['settings apply', undefined, 'Set it (continuation-point settings apply does that)'],
  ['settings apply', 'npx continuation-point', 'Set it (npx continuation-point settings apply does that)'],
])('%s, called as %s: %s', (command, program, text) => {
  expect(withCommand('Set it', command, program)).toBe(text)
})

test.each(commands)('the help of $name shows each command as it can be typed', async (entry) => {
  const { command } = await entry.load()
  const [plain, npx] = programs.map((program) => renderHelp(entry, command, program))
  expect(npx?.replaceAll(/npx (?=continuation-point)/g, '')).toBe(plain)
  const name = new RegExp(`(?<!npx )continuation-point ${entry.name}`)
  expect(npx).not.toMatch(name)
  expect(plain).toMatch(name)
})

test('so does the overview', () => {
  expect(renderOverview('npx continuation-point')).not.toMatch(/(?<!npx )continuation-point COMMAND/)
})
