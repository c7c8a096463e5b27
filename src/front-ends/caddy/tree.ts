import { buildTree, type Directive, type Statement, splitLines } from '../directive.ts'
import { isFault, readWords, type SyntaxFault, type Word } from '../words.ts'

/**
 * Parses a Caddyfile into directives. At the top level these are site blocks, whose words are their addresses. A file with
 * a single site may leave out the braces.
 */
export function parseCaddy(text: string): readonly Directive[] | SyntaxFault {
  const words = readWords(withoutHeredocs(text), { quotes: '"`', marks: '' })
  if (isFault(words)) return words
  // After a comma at the end of a line, the next line continues the addresses.
  const lines = splitLines(words, (line) => line.at(-1)?.text.endsWith(',') === true)
  return buildTree((isOneSite(lines) ? withBraces(lines) : lines).map(toStatement))
}

function toStatement(words: readonly Word[]): Statement {
  const last = words.at(-1)
  if (isMark(last, '}') && words.length === 1) return { kind: 'end', words }
  if (!isMark(last, '{')) return { kind: 'line', words }
  return { kind: 'start', words: words.length === 1 ? [{ ...last, text: '' }] : words.slice(0, -1) }
}

function isOneSite([first]: readonly (readonly Word[])[]): boolean {
  return first !== undefined && !isMark(first.at(-1), '{') && first[0]?.text !== 'import'
}

function withBraces(lines: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  const [addresses = [], ...rest] = lines
  const brace = (text: string): Word => ({ kind: 'bare', text, line: addresses[0]?.line ?? 1 })
  return [[...addresses, brace('{')], ...rest, [brace('}')]]
}

function isMark(word: Word | undefined, text: string): word is Word {
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
