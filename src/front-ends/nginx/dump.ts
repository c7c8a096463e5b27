import { type Directive, isFault } from '../directive.ts'
import type { SyntaxFault } from '../words.ts'
import { parseNginx } from './tree.ts'

/** Parses one file of nginx, or all of them as printed by `nginx -T`; then includes are replaced by the files' directives. */
export function parseNginxText(text: string): readonly Directive[] | SyntaxFault {
  const [start = '', ...parts] = text.split(FILE)
  if (parts.length === 0) return parseNginx(text)
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
  const expanded = include(files.get(main) ?? [], {
    files,
    folder: main.replace(/\/[^/]*$/, ''),
    within: [main],
    included: { count: 0 },
  })
  return expanded ?? { line: 1, fault: 'its files include too much' }
}

/** The file and line, `/etc/nginx/nginx.conf:3`, of a line of what `nginx -T` prints. */
export function findInDump(text: string, line: number): string | undefined {
  const above = text.split('\n').slice(0, line)
  const start = above.findLastIndex((each) => FILE.test(each))
  const [, path] = FILE.exec(above[start] ?? '') ?? []
  return path && `${path}:${line - start - 1}`
}

interface Inclusion {
  readonly files: ReadonlyMap<string, readonly Directive[]>
  readonly folder: string
  /** The files that are being included, to stop a file from including itself. */
  readonly within: readonly string[]
  /** How many files were included, everywhere. */
  readonly included: { count: number }
}

/** @returns `undefined` if the files include too much, as they do if each includes all others */
function include(directives: readonly Directive[], inclusion: Inclusion): readonly Directive[] | undefined {
  const expanded: Directive[] = []
  for (const directive of directives) {
    const found = expand(directive, inclusion)
    if (found === undefined) return undefined
    expanded.push(...found)
  }
  return expanded
}

function expand(directive: Directive, inclusion: Inclusion): readonly Directive[] | undefined {
  if (directive.inner.length > 0) {
    const inner = include(directive.inner, inclusion)
    return inner && [{ ...directive, inner }]
  }
  const [pattern] = directive.words
  if (directive.name !== 'include' || pattern === undefined) return [directive]
  const { files, folder, within, included } = inclusion
  if (within.length > DEEPEST || pattern.split('*').length > MOST_STARS) return [directive]
  const matches = compileMatcher(pattern.startsWith('/') ? pattern : `${folder}/${pattern}`)
  const paths = [...files.keys()].filter((path) => matches(path) && !within.includes(path))
  const expanded: Directive[] = []
  for (const path of paths) {
    included.count += 1
    if (included.count > MOST_INCLUDED) return undefined
    const found = include(files.get(path) ?? [], { ...inclusion, within: [...within, path] })
    if (found === undefined) return undefined
    expanded.push(...found)
  }
  return expanded
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
