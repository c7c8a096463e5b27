import { buildTree, type Directive, isFault } from '../directive.ts'
import { readWords, type SyntaxFault, type Word } from '../words.ts'

/**
 * Parses a config of nginx into directives. Blocks of Lua are skipped.
 *
 * @param firstLine the number of its first line, if it is part of a longer text
 */
export function parseNginx(text: string, firstLine = 1): readonly Directive[] | SyntaxFault {
  const words = readWords(withoutLua(text), { quotes: `"'`, marks: ';{}' }, firstLine)
  if (isFault(words)) return words
  const tree = buildTree()
  let pending: Word[] = []
  for (const word of words) {
    if (word.kind !== 'mark') {
      pending.push(word)
    } else if (word.text === ';') {
      tree.add(pending)
      pending = []
    } else if (word.text === '{') {
      const fault = tree.open(pending)
      if (fault !== undefined) return fault
      pending = []
    } else if (word.text === '}') {
      const closed = pending.length > 0 ? toUnended(pending) : tree.close(word.line)
      if (isFault(closed)) return closed
    }
  }
  return pending.length > 0 ? toUnended(pending) : tree.end()
}

function toUnended([first]: readonly Word[]): SyntaxFault {
  return { line: first?.line ?? 0, fault: 'a directive does not end in a semicolon' }
}

/** Lua code is not directives. Its line feeds are kept, so that line numbers stay right. */
function withoutLua(text: string): string {
  let rest = text
  let read = ''
  for (;;) {
    const start = /_by_lua_block\s*\{/.exec(rest)
    if (start === null) return read + rest
    const from = start.index + start[0].length
    const end = findBlockEnd(rest, from)
    read += rest.slice(0, from) + rest.slice(from, end).replace(/[^\n]/g, '')
    rest = rest.slice(end)
  }
}

function findBlockEnd(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '{') depth += 1
    if (text.charAt(at) === '}') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}
