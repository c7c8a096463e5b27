import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { top } from './source-tree.ts'

/** What the documents and the image name. */
const PREFERRED = 24

/** The oldest version of Node that the package runs on. */
const [, major = ''] = /^>=(\d+)\./.exec(packageJson.engines.node) ?? []

it('the types of Node are those of the oldest version that is supported', () => {
  expect(packageJson.devDependencies['@types/node']).toMatch(new RegExp(`^\\^${major}\\.`))
})

it('CI runs the oldest version that is supported', () => {
  expect(read('.ci/run')).toContain(`suite ${major} `)
})

it.each([
  ['Dockerfile', `NODE_IMAGE=node:${PREFERRED}-`],
  ['action.yml', `node-version: '${PREFERRED}'`],
  ['deploy/ci/gitlab.yml', `node:${PREFERRED}-`],
  ['.github/workflows/ci.yml', `node:${PREFERRED}-`],
  ['deploy/systemd/continuation-point@.service', `Node ${PREFERRED}`],
])('%s says on which Node to run', (path, words) => {
  expect(read(path)).toContain(words)
})

/** The text with one space between words, wherever its lines break. */
function read(path: string): string {
  return readFileSync(join(top, path), 'utf8').replaceAll(/\s+/g, ' ')
}
