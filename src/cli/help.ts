import type { Program } from '../text/typed-command.ts'
import { wrap } from '../text/wrap.ts'
import type { Command } from './command.ts'
import type { CommandEntry } from './commands.ts'

/** The overview of all commands, in lines of at most 80 columns, or of the terminal's. */
export function renderOverview(
  commands: readonly CommandEntry[],
  program: Program,
  columns?: number,
): string {
  const width = chooseWidth(columns)
  return [
    `Usage: ${program} COMMAND [options]`,
    '',
    ...wrap('', ABOUT, width),
    '',
    'Commands:',
    ...renderTable(
      commands.map(({ name, summary }) => [name, summary]),
      width,
    ),
    '',
    'Options:',
    ...renderTable(GLOBAL_ROWS, width),
    '',
    ...wrap('', `Run ${program} COMMAND --help for the options of a command.`, width),
    '',
  ].join('\n')
}

/** The help of one command, in lines of at most 80 columns, or of the terminal's. */
export function renderHelp(
  { name, summary }: CommandEntry,
  { details, options, operands }: Command,
  program: Program,
  columns?: number,
): string {
  const width = chooseWidth(columns)
  const optionRows = Object.entries(options).map(([flag, option]): Row => {
    if (option.value === undefined) return [`--${flag}`, option.summary]
    const choices = option.choices === undefined ? '' : ` (${option.choices.join(', ')})`
    const repeatable = option.multiple ? '; may be repeated' : ''
    return [`--${flag} ${option.value}`, `${option.summary}${choices}${repeatable}`]
  })
  return [
    `Usage: ${program} ${name} [options]${operands === undefined ? '' : ` ${operands.usage}`}`,
    '',
    ...wrap('', `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, width),
    '',
    'Options:',
    ...renderTable([...optionRows, ...GLOBAL_ROWS], width),
    ...(details === undefined
      ? []
      : ['', ...renderParagraphs(typeof details === 'string' ? details : details(program), width)]),
    '',
  ].join('\n')
}

type Row = readonly [term: string, text: string]

function renderTable(rows: readonly Row[], width: number): readonly string[] {
  const indent = Math.max(...rows.map(([term]) => term.length)) + 4
  return rows.flatMap(([term, text]) => wrap(`  ${term}`.padEnd(indent), text, width))
}

/** Indented paragraphs, such as examples, are not wrapped. */
function renderParagraphs(text: string, width: number): readonly string[] {
  return text
    .trimEnd()
    .split('\n\n')
    .map((paragraph) =>
      paragraph.startsWith(' ') ? paragraph : wrap('', paragraph.replace(/\s+/g, ' '), width).join('\n'),
    )
    .join('\n\n')
    .split('\n')
}

function chooseWidth(columns = WIDEST): number {
  return Math.min(WIDEST, Math.max(NARROWEST, columns))
}

const ABOUT =
  'Continuation points for co-browsing: the URLs on your own site that carry httpOnly cookies into a session.'

const WIDEST = 80
const NARROWEST = 50

const GLOBAL_ROWS: readonly Row[] = [
  ['-h, --help', 'show this help'],
  ['--version', 'show the version'],
]
