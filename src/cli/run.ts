import { didYouMean } from '../config/suggestion.ts'
import { withoutWorkflowCommands } from '../text/escape.ts'
import { parseArguments } from './arguments.ts'
import { EXIT_CODE, type ExitCode } from './command.ts'
import { commands } from './commands.ts'
import { renderHelp, renderOverview } from './help.ts'
import type { Io } from './io.ts'
import { refuse } from './refuse.ts'
import { renderVersion } from './version.ts'

/** Runs one command: the arguments after the program's name. Results go to stdout, messages to stderr. */
export function run(words: readonly string[], io: Io): Promise<ExitCode> {
  return runWords(words, {
    ...io,
    stdout: (text) => io.stdout(withoutWorkflowCommands(text)),
    stdoutOfRunner: io.stdout,
    stderr: (text) => io.stderr(withoutWorkflowCommands(text)),
  })
}

async function runWords(words: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = words
  if (name === undefined) {
    io.stderr(renderOverview(io.program, io.stderrColumns))
    return EXIT_CODE.usage
  }
  if (name === '--help' || name === '-h') return print(renderOverview(io.program, io.stdoutColumns), io)
  if (name === '--version') return print(renderVersion(), io)
  if (name === 'help') return runWords(rest[0] === undefined ? ['--help'] : [rest[0], '--help'], io)
  const entry = commands.find((each) => each.name === name)
  if (entry === undefined) return refuse({ fault: explainUnknownCommand(name) }, '', io)
  const { command } = await entry.load()
  const parsed = parseArguments(name, rest, command)
  if (parsed.kind === 'help') return print(renderHelp(entry, command, io.program, io.stdoutColumns), io)
  if (parsed.kind === 'version') return print(renderVersion(), io)
  const outcome = parsed.kind === 'fault' ? { fault: parsed.message } : await command.run(parsed.args, io)
  return typeof outcome === 'object' ? refuse(outcome, ` ${name}`, io) : EXIT_CODE[outcome]
}

function print(text: string, io: Io): ExitCode {
  io.stdout(text)
  return EXIT_CODE.done
}

function explainUnknownCommand(word: string): string {
  const isFlag = word.startsWith('-')
  const legal = isFlag ? ['--help', '--version'] : commands.map(({ name }) => name)
  return `${isFlag ? `expected a command, not ${word}` : `unknown command ${JSON.stringify(word)}`}${didYouMean(word, legal)}`
}
