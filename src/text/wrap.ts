/**
 * Wraps a text between words to at most `columns`. Longer words are not broken, since a broken URL or setting can't be
 * pasted. Later lines are indented by the width of `lead`.
 *
 * @param lead precedes the text on its first line
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
