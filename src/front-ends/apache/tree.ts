import { buildTree, type Directive, isFault } from '../directive.ts'
import { readWords, type SyntaxFault, type Word } from '../words.ts'

/** Parses a config of Apache httpd into directives with lower-case names; variables that it defines are substituted. */
export function parseApache(text: string): readonly Directive[] | SyntaxFault {
  const words = readWords(withoutComments(text), { quotes: `"'`, marks: '' })
  if (isFault(words)) return words
  const tree = buildTree()
  const variables = new Map<string, string>()
  let pending: Word[] = []
  for (const word of [...words, { kind: 'mark', text: '\n', line: 0 } as const]) {
    if (word.kind !== 'mark') {
      const known = word.text.replace(/\$\{(\w+)\}/g, (whole, name: string) => variables.get(name) ?? whole)
      pending.push({ ...word, text: known })
      continue
    }
    const fault = addLine(pending)
    if (fault !== undefined) return fault
    pending = []
  }
  return tree.end()

  function addLine(line: readonly Word[]): SyntaxFault | undefined {
    const [first, second, third] = line
    if (first === undefined) return undefined
    const name = first.text.toLowerCase()
    if (name === 'define' && second !== undefined) variables.set(second.text, third?.text ?? '')
    if (first.kind === 'quoted' || !name.startsWith('<')) {
      tree.add([{ ...first, text: name }, ...line.slice(1)])
      return undefined
    }
    if (!name.startsWith('</')) return tree.open(toSection(line))
    const closed = tree.close(first.line)
    if (isFault(closed)) return closed
    const closing = name.replace(/^<\/|>$/g, '')
    return closed.name === closing
      ? undefined
      : { line: first.line, fault: `</${closing}> closes <${closed.name}>` }
  }
}

/** `<Location "/x">` as the words `location` and `/x`. */
function toSection(line: readonly Word[]): readonly Word[] {
  const words = line.map((word, index) => {
    if (word.kind === 'quoted') return word
    const opened = index === 0 ? word.text.slice(1).toLowerCase() : word.text
    return { ...word, text: index === line.length - 1 ? opened.replace(/>$/, '') : opened }
  })
  return words.filter(({ text }, index) => index === 0 || text !== '')
}

/** A comment takes the whole line; a `#` after other text does not begin one. */
function withoutComments(text: string): string {
  return text.replace(/^[^\S\n]*#.*$/gm, '')
}
