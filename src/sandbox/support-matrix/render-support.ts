import { type Support, supportTable } from './support-table.ts'

/** The support matrix as a Markdown table, ending with a line feed. */
export function renderSupport(rows: readonly Support[] = supportTable): string {
  const lines = rows.map(({ topic, documented, ours = '', missing = '' }) =>
    toLine([topic.includes('/') ? `\`${topic}\`` : topic, documented, ours, missing]),
  )
  return `${[toLine(HEADINGS), toLine(HEADINGS.map(() => '---')), ...lines].join('\n')}\n`
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

const HEADINGS = ['endpoint', 'as documented', 'the stand-in’s own choice', 'not imitated']
