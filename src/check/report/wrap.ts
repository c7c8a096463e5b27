/**
 * Breaks a text between words, so that no line is wider than `columns`; a word that is wider alone keeps its line, since
 * a URL or a setting cut in two can't be pasted. Later lines begin with as many spaces as the first has before its text.
 *
 * @param lead what stands before the text on its first line; its width is that of its characters
 */
export function wrap(lead: string, text: string, columns: number): readonly string[] {
  const indent = ' '.repeat(lead.length)
  const lines: string[] = []
  let line = lead
  let isEmpty = true
  for (const word of text.split(' ')) {
    const next = isEmpty ? `${line}${word}` : `${line} ${word}`
    if (!isEmpty && next.length > columns) {
      lines.push(line)
      line = `${indent}${word}`
    } else {
      line = next
    }
    isEmpty = false
  }
  return [...lines, line]
}
