import { suggest } from '../config/suggestion.ts'
import { escapeControls } from '../text/escape.ts'
import { parseArguments } from './arguments.ts'
import { commands } from './commands.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import { renderHelp, renderOverview } from './help.ts'
import type { Io } from './io.ts'
import { version } from './version.ts'

/**
 * Runs one command.
 *
 * @param words the arguments after the program's name
 * @returns the exit code; results are on stdout, messages on stderr
 */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = words
  if (name === undefined) {
    io.stderr(renderOverview(commands))
    return exitCode.usage
  }
  if (name === '--help' || name === '-h') return print(renderOverview(commands), io)
  if (name === '--version') return print(`${version}\n`, io)
  if (name === 'help') return run(rest[0] === undefined ? ['--help'] : [rest[0], '--help'], io)
  const entry = commands.find((each) => each.name === name)
  if (entry === undefined) return refuse(toUnknownCommand(name), '', io)
  const command = await entry.load()
  const parsed = parseArguments(rest, command)
  if (parsed.kind === 'help') return print(renderHelp(command), io)
  if (parsed.kind === 'version') return print(`${version}\n`, io)
  if (parsed.kind === 'fault') return refuse(parsed.message, ` ${name}`, io)
  return command.run(parsed.args, io)
}

function print(text: string, io: Io): ExitCode {
  io.stdout(text)
  return exitCode.done
}

function refuse(message: string, commandWords: string, io: Io): ExitCode {
  io.stderr(`continuation-point: ${escapeControls(message)}\nSee continuation-point${commandWords} --help.\n`)
  return exitCode.usage
}

function toUnknownCommand(word: string): string {
  const isFlag = word.startsWith('-')
  const legal = isFlag ? ['--help', '--version'] : commands.map(({ name }) => name)
  const suggestion = suggest(word, legal)
  const question = suggestion === undefined ? '' : `, did you mean ${suggestion}?`
  if (isFlag) return `expected a command, not ${word}${question}`
  return `unknown command ${JSON.stringify(word)}${question}`
}
