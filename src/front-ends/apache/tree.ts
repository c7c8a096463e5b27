import { buildTree, type Directive, type Statement, splitLines } from '../directive.ts'
import { isFault, readWords, type SyntaxFault, type Word } from '../words.ts'

/** Parses a config of Apache httpd into directives with lower-case names; variables that it defines are substituted. */
export function parseApache(text: string): readonly Directive[] | SyntaxFault {
  // A comment takes the whole line; a `#` after other text does not begin one.
  const words = readWords(text.replace(/^[^\S\n]*#.*$/gm, ''), { quotes: `"'`, marks: '' })
  if (isFault(words)) return words
  const variables = new Map<string, string>()
  return buildTree(
    splitLines(words).map((line) => {
      const known = line.map((word, index) => {
        const text = word.text.replace(/\$\{(\w+)\}/g, (whole, name: string) => variables.get(name) ?? whole)
        return { ...word, text: index === 0 ? text.toLowerCase() : text }
      })
      const [first, second, third] = known
      if (first?.text === 'define' && second !== undefined) variables.set(second.text, third?.text ?? '')
      return toStatement(known)
    }),
  )
}

function toStatement(words: readonly Word[]): Statement {
  const { kind, text } = words[0] ?? { kind: 'bare', text: '' }
  if (kind === 'quoted' || !text.startsWith('<')) return { kind: 'line', words }
  if (text.startsWith('</')) return { kind: 'end', words, ends: text.replace(/^<\/|>$/g, '') }
  return { kind: 'start', words: toSection(words) }
}

/** `<Location "/x">` as the words `location` and `/x`. */
function toSection(line: readonly Word[]): readonly Word[] {
  const words = line.map((word, index) => {
    if (word.kind === 'quoted') return word
    const opened = index === 0 ? word.text.slice(1) : word.text
    return { ...word, text: index === line.length - 1 ? opened.replace(/>$/, '') : opened }
  })
  return words.filter(({ text }, index) => index === 0 || text !== '')
}
