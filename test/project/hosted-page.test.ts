import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { top } from './source-tree.ts'

const text = readFileSync(join(top, 'deploy/recipes/hosted.md'), 'utf8')
const sections = text
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    vendor: section.split('\n')[0] ?? '',
    statements: section.split(/^- /m).slice(1),
  }))

it('says that none of it was run', () => {
  expect(text).toContain('*Read only*')
})

it('has a row in its table for each vendor', () => {
  const rows = [...text.matchAll(/^\| \[([^\]]+)\]\(#/gm)].map(([, vendor]) => vendor)
  expect(rows).toEqual(sections.map(({ vendor }) => vendor))
})

it.each(sections)('$vendor: every statement names its source', ({ statements }) => {
  expect(statements.length).toBeGreaterThan(3)
  expect(statements.filter((statement) => !/\]\(https:\/\//.test(statement))).toEqual([])
})
