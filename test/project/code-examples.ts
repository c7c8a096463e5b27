import { readSources } from './source-tree.ts'

/** The code of an `@example`, and what it is an example of. */
export interface CodeExample {
  readonly path: string
  /** The function or class below the comment; absent for a whole file and for a method. */
  readonly name: string | undefined
  readonly text: string
}

/** Every `@example` of the source. */
export const codeExamples: readonly CodeExample[] = readSources('src').flatMap(({ path, text }) =>
  [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\s*(.*)/g)].flatMap(([, comment = '', below = '']) => {
    const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
    const start = lines.findIndex((line) => line.startsWith('@example'))
    if (start < 0) return []
    const [, name] = /^export (?:async )?(?:function|class) (\w+)/.exec(below) ?? []
    const after = lines.slice(start + 1)
    const end = after.findIndex((line) => line.startsWith('@'))
    return [
      {
        path,
        name,
        text: `${after
          .slice(0, end < 0 ? undefined : end)
          .join('\n')
          .trim()}\n`,
      },
    ]
  }),
)
