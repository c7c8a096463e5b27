import type { SyntaxFault, Word } from './words.ts'

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

interface OpenDirective extends Directive {
  readonly inner: Directive[]
}

/** Nests directives as a parser reaches the ends of lines and blocks. */
export function buildTree() {
  const top: Directive[] = []
  const opened: OpenDirective[] = []
  const level = () => opened.at(-1)?.inner ?? top
  return {
    add: (words: readonly Word[]): void => {
      if (words.length > 0) level().push(toDirective(words))
    },
    open: (words: readonly Word[]): SyntaxFault | undefined => {
      const directive = toDirective(words)
      if (opened.length === DEEPEST)
        return { line: directive.line, fault: 'its blocks are nested too deeply' }
      level().push(directive)
      opened.push(directive)
      return undefined
    },
    /** @returns what was closed, or why nothing could be */
    close: (line: number): Directive | SyntaxFault =>
      opened.pop() ?? { line, fault: 'a block ends that was not opened' },
    /** The whole tree, or a fault for a block that was not closed. */
    end: (): readonly Directive[] | SyntaxFault => {
      const last = opened.at(-1)
      return last === undefined ? top : { line: last.line, fault: 'a block is not closed' }
    },
  }
}

export function isFault<T extends object>(read: T | SyntaxFault): read is SyntaxFault {
  return 'fault' in read
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

function toDirective(words: readonly Word[]): OpenDirective {
  const [first, ...rest] = words
  return {
    name: first?.text ?? '',
    words: rest.map(({ text }) => text),
    line: first?.line ?? 0,
    inner: [],
  }
}

/** More than any real config has; it bounds the recursion of the readers. */
const DEEPEST = 32
