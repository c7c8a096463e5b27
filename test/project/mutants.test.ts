import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { top } from './source-tree.ts'

it('every edit of `npm run mutants` still finds its lines', () => {
  expect(
    execFileSync(process.execPath, ['test/mutants/run.mjs', '--stale'], { cwd: top, encoding: 'utf8' }),
  ).toBe('')
})
