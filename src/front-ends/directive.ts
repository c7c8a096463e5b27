import { isFault, type SyntaxFault, type Word } from './words.ts'

/** One directive of a server's config, in a form common to all syntaxes. */
export interface Directive {
  /** The first word; empty for a block without one. */
  readonly name: string
  readonly words: readonly string[]
  /** The line where it begins, from 1. */
  readonly line: number
  /** The directives in its block; empty without one. */
  readonly inner: readonly Directive[]
}

/** What a parser finds between the ends of lines and blocks. */
export interface Statement {
  readonly kind: 'line' | 'start' | 'end'
  readonly words: readonly Word[]
  /** The name of the block that it ends, where the syntax repeats it. */
  readonly ends?: string
}

/** Nests statements, up to the first fault. */
export function buildTree(statements: Iterable<Statement | SyntaxFault>): readonly Directive[] | SyntaxFault {
  const top = toDirective([])
  const opened = [top]
  for (const statement of statements) {
    if (isFault(statement)) return statement
    const directive = toDirective(statement.words)
    const { line } = directive
    const block = opened.at(-1) ?? top
    if (statement.kind === 'end') {
      if (block === top) return { line, fault: 'a block ends that was not opened' }
      if ((statement.ends ?? block.name) !== block.name)
        return { line, fault: `</${statement.ends}> closes <${block.name}>` }
      opened.pop()
    } else if (statement.kind === 'start') {
      if (opened.length > DEEPEST) return { line, fault: 'its blocks are nested too deeply' }
      block.inner.push(directive)
      opened.push(directive)
    } else if (statement.words.length > 0) block.inner.push(directive)
  }
  const { line } = opened.at(-1) ?? top
  return opened.length === 1 ? top.inner : { line, fault: 'a block is not closed' }
}

function toDirective([first, ...rest]: readonly Word[]) {
  const inner: Directive[] = []
  return { name: first?.text ?? '', words: rest.map(({ text }) => text), line: first?.line ?? 0, inner }
}

/** Words by line. A line that `isContinued` goes on in the next. */
export function splitLines(
  words: readonly Word[],
  isContinued: (line: readonly Word[]) => boolean = () => false,
): readonly (readonly Word[])[] {
  const lines: Word[][] = [[]]
  for (const word of words) {
    const line = lines.at(-1) ?? []
    if (word.kind !== 'mark') line.push(word)
    else if (!isContinued(line)) lines.push([])
  }
  return lines.filter((line) => line.length > 0)
}

/** All directives, at any depth, for which the test holds. */
export function findAll(
  directives: readonly Directive[],
  test: (directive: Directive) => boolean,
): readonly Directive[] {
  return directives.flatMap((each) => [...(test(each) ? [each] : []), ...findAll(each.inner, test)])
}

/** The directives with this name, at this level. */
export function named(directives: readonly Directive[], name: string): readonly Directive[] {
  return directives.filter((each) => each.name === name)
}

/** More than any real config has; it bounds the recursion of the readers. */
const DEEPEST = 32
