import { wrap } from '../text/prose.ts'
import type { Program } from '../text/typed-command.ts'
import type { Command } from './command.ts'
import { type CommandEntry, commands, groups } from './commands.ts'

export function renderOverview(program: Program, columns?: number): string {
  const widest = Math.max(...commands.map(({ name }) => name.length))
  const lists = groups.map(({ title, commands }) => ({
    title,
    rows: commands.map(({ name, summary }): Row => [name.padEnd(widest), summary]),
  }))
  const next = `Run ${program} COMMAND --help for the options of a command.`
  const parts = [ABOUT, ...lists, { title: 'Options', rows: GLOBAL_ROWS }, next]
  return renderPage(`${program} COMMAND [options]`, parts, columns)
}

export function renderHelp(
  { name, summary }: CommandEntry,
  { details = '', options, operands }: Command,
  program: Program,
  columns?: number,
): string {
  const optionRows = Object.entries(options).map(([flag, option]): Row => {
    if (option.value === undefined) return [`--${flag}`, option.summary]
    const choices = option.choices === undefined ? '' : ` (${option.choices.join(', ')})`
    const repeatable = option.multiple ? '; may be repeated' : ''
    return [`--${flag} ${option.value}`, `${option.summary}${choices}${repeatable}`]
  })
  const paragraphs = details.trimEnd().split('\n\n')
  const parts = [
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    { title: 'Options', rows: [...optionRows, ...GLOBAL_ROWS] },
    ...paragraphs.filter((paragraph) => paragraph !== ''),
  ]
  const words = operands === undefined ? '' : ` ${operands.usage}`
  return renderPage(`${program} ${name} [options]${words}`, parts, columns)
}

type Row = readonly [term: string, text: string]

/** In lines of at most 80 columns, or of the terminal's. Indented paragraphs, such as examples, are not wrapped. */
function renderPage(
  usage: string,
  parts: readonly (string | { readonly title: string; readonly rows: readonly Row[] })[],
  columns = WIDEST,
): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns))
  const blocks = parts.map((part) => {
    if (typeof part === 'object') return [`${part.title}:`, ...renderRows(part.rows, width)].join('\n')
    return part.startsWith(' ') ? part : wrap('', part.replace(/\s+/g, ' '), width).join('\n')
  })
  return `${[`Usage: ${usage}`, ...blocks].join('\n\n')}\n`
}

function renderRows(rows: readonly Row[], width: number): readonly string[] {
  const indent = Math.max(...rows.map(([term]) => term.length)) + 4
  return rows.flatMap(([term, text]) => wrap(`  ${term}`.padEnd(indent), text, width))
}

const ABOUT =
  'Continuation points for co-browsing: the URLs on your own site that carry httpOnly cookies into a session.'

const WIDEST = 80
const NARROWEST = 50

const GLOBAL_ROWS: readonly Row[] = [
  ['-h, --help', 'show this help'],
  ['--version', 'show the version'],
]
