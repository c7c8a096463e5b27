/** A number with its noun: `1 line`, `2 lines`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** The first texts of a list, and how many follow: every list that is cut says so. */
export function shorten(texts: readonly string[], most = MOST): readonly string[] {
  const more = texts.length - most
  return more > 0 ? [...texts.slice(0, most), `and ${more} more`] : texts
}

/** How many texts a list has, one that was cut included. */
export function countAll(texts: readonly string[]): number {
  const [, more] = /^and (\d+) more$/.exec(texts.at(-1) ?? '') ?? []
  return more === undefined ? texts.length : texts.length - 1 + Number(more)
}

const MOST = 10

/** SGR sequences, which take no place. */
const COLOURS = /\u001b\[\d+m/g

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
    const next: string = isEmpty ? `${line}${word}` : `${line} ${word}`
    const isFull: boolean = !isEmpty && next.length > columns && next.replace(COLOURS, '').length > columns
    if (isFull) lines.push(line.trimEnd())
    line = isFull ? `${indent}${word}` : next
    isEmpty = isFull && word === ''
  }
  return [...lines, line]
}
