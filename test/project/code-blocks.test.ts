import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Block, commandLines, everyBlock } from './documents.ts'
import { top } from './source-tree.ts'

/** What runs, compiles or reads the blocks of a language, in any document. */
const byLanguage: Readonly<Record<string, string>> = {
  sh: 'test/project/code-blocks.test.ts',
  json: 'test/project/documents.test.ts',
  jsonc: 'test/project/documents.test.ts',
  ts: 'test/project/typescript-blocks.test.ts',
  nginx: 'test/project/front-end-blocks.test.ts',
  apache: 'test/project/front-end-blocks.test.ts',
  caddy: 'test/project/front-end-blocks.test.ts',
  haproxy: 'test/project/front-end-blocks.test.ts',
}

/** The other blocks, by how they begin: the test that holds them, or why there is none. */
const others: readonly (readonly [path: string, beginning: string, test: string | undefined])[] = [
  ['docs/checking.md', '✖ error live/forwarded', 'test/check/set-ups/check-set-ups.ts'],
  ['docs/checking.md', 'on:', 'test/project/pipelines.test.ts'],
  ['docs/checking.md', '{"time"', 'test/cli/check-every.test.ts'],
  ['docs/checking.md', '✖ error cookie/path-not-covered', 'test/project/documents.test.ts'],
  ['docs/commands.md', 'Usage: continuation-point', 'test/project/reference.test.ts'],
  ['docs/commands.md', '--', 'test/project/reference.test.ts'],
  ['docs/frameworks.md', 'import ', 'test/examples/frameworks-page.test.ts'],
  ['docs/frameworks.md', 'export default', 'test/examples/frameworks-page.test.ts'],
  // Pictures.
  ['README.md', 'visitor', undefined],
  ['docs/how-it-works.md', 'browser, on', undefined],
  ['src/README.md', 'argv, env, file', undefined],
  ['src/check/README.md', 'config ─▶', undefined],
]

const rowOf = ({ path, text }: Block) =>
  others.find(([where, beginning]) => where === path && text.trimStart().startsWith(beginning))

describe('every block of the documents', () => {
  it('is run, compiled or read by a test, or is in the list above', () => {
    const strays = everyBlock.filter((block) => !(block.language in byLanguage) && rowOf(block) === undefined)
    expect(strays.map(({ path, text }) => `${path}: ${text.split('\n')[0]}`)).toEqual([])
  })

  it('is in the list only while it exists', () => {
    const used = new Set(everyBlock.map(rowOf))
    expect(others.filter((row) => !used.has(row))).toEqual([])
  })

  it.each([...new Set([...Object.values(byLanguage), ...others.flatMap(([, , test]) => test ?? [])])])(
    'and %s is there to do it',
    (test) => {
      expect(existsSync(join(top, test))).toBe(true)
    },
  )
})

describe('shell lines of the documents', () => {
  it('name existing files of the repository', () => {
    const named = commandLines.flatMap(({ path, words }) =>
      words.filter((word) => /^(?:bench|deploy|docs|src|test)\//.test(word)).map((word) => ({ path, word })),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ word }) => !existsSync(join(top, word)))).toEqual([])
  })
})
