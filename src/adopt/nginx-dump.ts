import { type Directive, isFault } from './directive.ts'
import { parseNginx } from './nginx-tree.ts'
import type { SyntaxFault } from './words.ts'

/** Parses one file of nginx, or all of them as printed by `nginx -T`; then includes are replaced by the files' directives. */
export function parseNginxText(text: string): readonly Directive[] | SyntaxFault {
  const [start = '', ...parts] = text.split(/^# configuration file (\S+):$/m)
  if (parts.length === 0) return parseNginx(text)
  const files = new Map<string, readonly Directive[]>()
  let line = start.split('\n').length
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [path = '', body = ''] = parts.slice(index)
    // Line numbers are those of the whole text, as the user sees it.
    const parsed = parseNginx(`${'\n'.repeat(line - 1)}${body}`)
    if (isFault(parsed)) return parsed
    files.set(path, parsed)
    line += body.split('\n').length - 1
  }
  const [main = ''] = files.keys()
  const expanded = include(files.get(main) ?? [], {
    files,
    folder: main.replace(/\/[^/]*$/, ''),
    within: [main],
  })
  return expanded.length > MOST_DIRECTIVES ? { line: 1, fault: 'its files include too much' } : expanded
}

interface Inclusion {
  readonly files: ReadonlyMap<string, readonly Directive[]>
  readonly folder: string
  /** The files that are being included, to stop a file from including itself. */
  readonly within: readonly string[]
}

function include(directives: readonly Directive[], inclusion: Inclusion): readonly Directive[] {
  return directives.flatMap((directive) => {
    if (directive.inner.length > 0) return [{ ...directive, inner: include(directive.inner, inclusion) }]
    const [pattern] = directive.words
    if (directive.name !== 'include' || pattern === undefined) return [directive]
    const { files, folder, within } = inclusion
    const matches = toMatcher(pattern.startsWith('/') ? pattern : `${folder}/${pattern}`)
    const paths = [...files.keys()].filter((path) => matches(path) && !within.includes(path))
    if (within.length > DEEPEST) return [directive]
    return paths.flatMap((path) =>
      include(files.get(path) ?? [], { files, folder, within: [...within, path] }),
    )
  })
}

function toMatcher(pattern: string): (path: string) => boolean {
  const pieces = pattern.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${pieces.join('[^/]*')}$`)
  return (path) => expression.test(path)
}

const DEEPEST = 8
const MOST_DIRECTIVES = 50_000
