import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { withTypedCommands } from '../../src/text/typed-command.ts'

test.each(commands.map(({ name }) => name))('%s is a command that npx can find', (name) => {
  expect(withTypedCommands(`continuation-point ${name}`, 'npx continuation-point')).toBe(
    `npx continuation-point ${name}`,
  )
})

test.each([
  ['Run continuation-point COMMAND --help.', 'Run npx continuation-point COMMAND --help.'],
  ['npx continuation-point init', 'npx continuation-point init'],
  ['continuation-point refuses the request', 'continuation-point refuses the request'],
  ['/etc/continuation-point serve', '/etc/continuation-point serve'],
  ['continuation-point servers', 'continuation-point servers'],
])('%s', (text, expected) => {
  expect(withTypedCommands(text, 'npx continuation-point')).toBe(expected)
  expect(withTypedCommands(text, 'continuation-point')).toBe(text)
})
