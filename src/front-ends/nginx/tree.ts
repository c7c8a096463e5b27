import { buildTree, type Directive, type Statement } from '../directive.ts'
import { isFault, readWords, type SyntaxFault, type Word } from '../words.ts'

/** Parses one file of nginx, or all of them as printed by `nginx -T`; then includes are replaced by the files' directives. */
export function parseNginxText(text: string): readonly Directive[] | SyntaxFault {
  const [start = '', ...parts] = text.split(FILE)
  if (parts.length === 0) return parseNginx(text, 1)
  const files = new Map<string, readonly Directive[]>()
  let line = start.split('\n').length
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [path = '', body = ''] = parts.slice(index, index + 2)
    const parsed = parseNginx(body, line)
    if (isFault(parsed)) return parsed
    files.set(path, parsed)
    line += body.split('\n').length - 1
  }
  const [main = ''] = files.keys()
  const folder = main.replace(/\/[^/]*$/, '')
  let count = 0
  /** `within` are the files that are being included, so that none includes itself. */
  const include = (directives: readonly Directive[], within: readonly string[]): readonly Directive[] =>
    directives.flatMap((directive) => {
      const { name, words, inner } = directive
      if (inner.length > 0) return [{ ...directive, inner: include(inner, within) }]
      const [pattern = ''] = words
      const isFollowed = within.length <= DEEPEST && pattern.split('*').length <= MOST_STARS
      if (name !== 'include' || pattern === '' || !isFollowed) return [directive]
      const matches = compileMatcher(pattern.startsWith('/') ? pattern : `${folder}/${pattern}`)
      return [...files].flatMap(([path, parsed]) => {
        if (!matches(path) || within.includes(path)) return []
        count += 1
        return count > MOST_INCLUDED ? [] : include(parsed, [...within, path])
      })
    })
  const expanded = include(files.get(main) ?? [], [main])
  // As if each includes all others.
  return count > MOST_INCLUDED ? { line: 1, fault: 'its files include too much' } : expanded
}

/** The file and line, `/etc/nginx/nginx.conf:3`, of a line of what `nginx -T` prints. */
export function findInDump(text: string, line: number): string | undefined {
  const above = text.split('\n').slice(0, line)
  const start = above.findLastIndex((each) => FILE.test(each))
  const [, path] = FILE.exec(above[start] ?? '') ?? []
  return path && `${path}:${line - start - 1}`
}

/** Parses a config whose first line has this number in a longer text. Blocks of Lua are skipped. */
function parseNginx(text: string, firstLine: number): readonly Directive[] | SyntaxFault {
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

function compileMatcher(pattern: string): (path: string) => boolean {
  const pieces = pattern.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${pieces.join('[^/]*')}$`)
  return (path) => expression.test(path)
}

const FILE = /^# configuration file (\S+):$/m
const DEEPEST = 8
/** More would make matching slow, and no config has them. */
const MOST_STARS = 4
/** A shared snippet is included once for each server. */
const MOST_INCLUDED = 5_000
