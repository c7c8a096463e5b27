import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSources, top } from './source-tree.ts'

const sources = readSources('src')
const tests = readSources('test')

describe('files', () => {
  it('are named in kebab case, after what they export', () => {
    const names = [...sources, ...tests].map(({ path }) => path)
    expect(names.filter((path) => !/^[a-z0-9.-]+\.ts$/.test(basename(path)))).toEqual([])
  })

  it('are never a catch-all', () => {
    const drawers = /(?:^|\/)(?:utils?|helpers?|common|shared|misc|types)(?:\.ts$|\/)/
    expect([...sources, ...tests].map(({ path }) => path).filter((path) => drawers.test(path))).toEqual([])
  })

  // The places that README, the page about first configs and compose.yaml name.
  it.each([
    'config.json',
    'cookies.har',
    'cookies.txt',
    'deploy/secrets/widget_key',
    'deploy/secrets/site.key',
    '.env',
  ])('are not committed by accident if they hold secrets: %s', (path) => {
    expect(execFileSync('git', ['check-ignore', path], { cwd: top, encoding: 'utf8' })).toBe(`${path}\n`)
  })

  it.each([
    ['any', /(?::\s*|as\s+|<)any\b(?!\w)/],
    ['a non-null assertion', /[\w\])]!(?:\.|\)|,|;|$)(?!=)/m],
    ['an enum or a namespace', /^\s*(?:export\s+)?(?:const\s+)?(?:enum|namespace)\s/m],
    ['URL.canParse, which Node 20 and 22 get wrong (src/http/url.ts)', /URL\.canParse\(/],
    ['a silenced compiler', /@ts-(?:ignore|nocheck|expect-error)/],
  ])('hold no %s', (_what, pattern) => {
    const strays = sources.filter(({ text }) => pattern.test(withoutTextAndComments(text)))
    expect(strays.map(({ path }) => path)).toEqual([])
  })

  it('contain no skipped or focused test', () => {
    const strays = tests.filter(
      ({ path, text }) =>
        path !== 'test/project/files.test.ts' && /\b(?:it|test|describe)\.(?:only|skip|todo)\b/.test(text),
    )
    expect(strays.map(({ path }) => path)).toEqual([])
  })
})

function withoutTextAndComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"/g, "''")
}
