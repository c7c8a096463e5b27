import type { Command } from './command.ts'
import type { CommandEntry } from './commands.ts'

/** The overview of all commands, in lines of at most 80 columns. */
export function renderOverview(commands: readonly CommandEntry[]): string {
  return [
    'Usage: continuation-point COMMAND [options]',
    '',
    'Continuation points for co-browsing: the URLs on your own site that carry',
    'httpOnly cookies into a session.',
    '',
    'Commands:',
    ...toTable(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Options:',
    ...toTable(globalRows),
    '',
    'Run continuation-point COMMAND --help for the options of a command.',
    '',
  ].join('\n')
}

/** The help of one command, in lines of at most 80 columns. */
export function renderHelp({ name, summary }: CommandEntry, { details, options, operands }: Command): string {
  const optionRows = Object.entries(options).map(([flag, option]): Row => {
    if (option.value === undefined) return [`--${flag}`, option.summary]
    const choices = option.choices === undefined ? '' : ` (${option.choices.join(', ')})`
    const repeatable = option.multiple ? '; may be repeated' : ''
    return [`--${flag} ${option.value}`, `${option.summary}${choices}${repeatable}`]
  })
  return [
    `Usage: continuation-point ${name} [options]${operands === undefined ? '' : ` ${operands.usage}`}`,
    '',
    ...wrap(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, widest),
    '',
    'Options:',
    ...toTable([...optionRows, ...globalRows]),
    ...(details === undefined ? [] : ['', ...toParagraphs(details)]),
    '',
  ].join('\n')
}

type Row = readonly [term: string, text: string]

function toTable(rows: readonly Row[]): readonly string[] {
  const indent = Math.max(...rows.map(([term]) => term.length)) + 4
  return rows.flatMap(([term, text]) =>
    wrap(text, widest - indent).map((line, index) => (index === 0 ? `  ${term}` : '').padEnd(indent) + line),
  )
}

/** Indented paragraphs, such as examples, are not wrapped. */
function toParagraphs(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n\n')
    .map((paragraph) => (paragraph.startsWith(' ') ? paragraph : wrap(paragraph, widest).join('\n')))
    .join('\n\n')
    .split('\n')
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

const widest = 80

const globalRows: readonly Row[] = [
  ['-h, --help', 'show this help'],
  ['--version', 'show the version'],
]
