import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { top } from './source-tree.ts'

/** The oldest version of Node that the package runs on. */
const [, major = ''] = /^>=(\d+)\./.exec(packageJson.engines.node) ?? []

it('the types of Node are those of the oldest version that is supported', () => {
  expect(packageJson.devDependencies['@types/node']).toMatch(new RegExp(`^\\^${major}\\.`))
})

it('CI runs the oldest version that is supported', () => {
  expect(readFileSync(join(top, '.ci/run'), 'utf8')).toContain(`suite ${major} `)
})
