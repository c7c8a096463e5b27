import { buildTree, type Directive, type Statement } from '../directive.ts'
import { isFault, readWords, type SyntaxFault, type Word } from '../words.ts'

/**
 * Parses a config of nginx into directives. Blocks of Lua are skipped.
 *
 * @param firstLine the number of its first line, if it is part of a longer text
 */
export function parseNginx(text: string, firstLine = 1): readonly Directive[] | SyntaxFault {
  const words = readWords(withoutLua(text), { quotes: `"'`, marks: ';{}' }, firstLine)
  return isFault(words) ? words : buildTree(splitStatements(words))
}

function* splitStatements(words: readonly Word[]): Generator<Statement | SyntaxFault> {
  let pending: Word[] = []
  for (const word of words) {
    if (word.kind !== 'mark') pending.push(word)
    else if (word.text === '}' && pending.length === 0) yield { kind: 'end', words: [word] }
    else if (word.text === '}') break
    else if (word.text !== '\n') {
      yield { kind: word.text === '{' ? 'start' : 'line', words: pending }
      pending = []
    }
  }
  const [first] = pending
  if (first !== undefined) yield { line: first.line, fault: 'a directive does not end in a semicolon' }
}

/** Lua code is not directives. Its line feeds are kept, so that line numbers stay right. */
function withoutLua(text: string): string {
  let depth = 0
  return text.replace(/_by_lua_block\s*\{|[^\n]/g, (piece) => {
    if (depth === 0) {
      if (piece.length > 1) depth = 1
      return piece
    }
    if (piece.endsWith('{')) depth += 1
    if (piece === '}') depth -= 1
    return depth === 0 ? piece : piece.replace(/[^\n]/g, '')
  })
}
