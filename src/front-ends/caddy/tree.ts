import { buildTree, type Directive, isFault } from '../directive.ts'
import { readWords, type SyntaxFault, type Word } from '../words.ts'

/**
 * Parses a Caddyfile into directives. At the top level these are site blocks, whose words are their addresses. A file with
 * a single site may leave out the braces.
 */
export function parseCaddy(text: string): readonly Directive[] | SyntaxFault {
  const words = readWords(withoutHeredocs(text), { quotes: '"`', marks: '' })
  if (isFault(words)) return words
  const lines = splitLines(words)
  const tree = buildTree()
  for (const line of isOneSite(lines) ? withBraces(lines) : lines) {
    const last = line.at(-1)
    if (isMark(last, '}') && line.length === 1) {
      const closed = tree.close(last?.line ?? 0)
      if (isFault(closed)) return closed
    } else if (isMark(last, '{')) {
      const rest = line.slice(0, -1)
      const fault = tree.open(rest.length === 0 ? [{ kind: 'bare', text: '', line: last?.line ?? 0 }] : rest)
      if (fault !== undefined) return fault
    } else {
      tree.add(line)
    }
  }
  return tree.end()
}

/** After a comma at the end of a line, the next line continues the addresses. */
function splitLines(words: readonly Word[]): readonly (readonly Word[])[] {
  const lines: Word[][] = [[]]
  for (const word of words) {
    const line = lines.at(-1) ?? []
    if (word.kind !== 'mark') line.push(word)
    else if (!line.at(-1)?.text.endsWith(',')) lines.push([])
  }
  return lines.filter((line) => line.length > 0)
}

function isOneSite([first]: readonly (readonly Word[])[]): boolean {
  return first !== undefined && !isMark(first.at(-1), '{') && first[0]?.text !== 'import'
}

function withBraces(lines: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  const [addresses = [], ...rest] = lines
  const brace = (text: string): Word => ({ kind: 'bare', text, line: addresses[0]?.line ?? 1 })
  return [[...addresses, brace('{')], ...rest, [brace('}')]]
}

function isMark(word: Word | undefined, text: string): boolean {
  return word?.kind === 'bare' && word.text === text
}

/** Heredocs are not directives. Their line feeds are kept, so that line numbers stay right. */
function withoutHeredocs(text: string): string {
  const lines = text.split('\n')
  let end: string | undefined
  return lines
    .map((line) => {
      if (end === undefined) {
        end = /(?:^|\s)<<(\w+)\s*$/.exec(line)?.[1]
        return line
      }
      if (line.trim().split(/\s/)[0] === end) end = undefined
      return ''
    })
    .join('\n')
}
