import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { frontEnds } from '../../src/front-ends/index.ts'
import { toRecipesPage } from './support/recipes-page.ts'

const top = new URL('../../', import.meta.url)

it('the page about front ends is the one generated from them', async () => {
  const page = toRecipesPage(frontEnds)
  await expect(page, 'npm run documents writes it').toMatchFileSnapshot(
    fileURLToPath(new URL('deploy/recipes/README.md', top)),
  )
})

it.each(['deploy/README.md', 'deploy/recipes/README.md', 'deploy/recipes/conformance.md'])(
  '%s names existing tests',
  (page) => {
    const text = readFileSync(new URL(page, top), 'utf8')
    const tests = [...text.matchAll(/test\/\S+\.test\.ts/g)].map(([path]) => path)
    expect(tests.length).toBeGreaterThan(2)
    expect(tests.filter((path) => !existsSync(new URL(path, top)))).toEqual([])
  },
)
