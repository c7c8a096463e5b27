import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { top } from './source-tree.ts'

it('a name that no test file has is answered by one line', () => {
  const words = [join(top, 'node_modules/vitest/vitest.mjs'), 'run', 'no-such-file']
  const env = { PATH: process.env.PATH }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: top, env, encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stripVTControlCharacters(stderr)).toBe('No test file matches no-such-file\n')
  expect(stripVTControlCharacters(stdout).trim()).toMatch(/^RUN .*$/)
})
