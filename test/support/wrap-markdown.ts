/** Breaks the lines of Markdown before column 100, between words; tables, headings and blocks stay as they are. */
export function wrapMarkdown(text: string): string {
  let isBlock = false
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) isBlock = !isBlock
      return isBlock || /^(?:```|[|#])/.test(line) ? line : wrapLine(line)
    })
    .join('\n')
}

function wrapLine(line: string): string {
  const indent = /^(?:- |\d+\. )/.exec(line)?.[0].length ?? 0
  const lines: string[] = []
  let rest = ''
  // A code span stays on one line.
  for (const word of line.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const longer = rest === '' ? word : `${rest} ${word}`
    if (longer.length > 100 && rest.trim() !== '') {
      lines.push(rest)
      rest = `${' '.repeat(indent)}${word}`
    } else rest = longer
  }
  return [...lines, rest].join('\n')
}
