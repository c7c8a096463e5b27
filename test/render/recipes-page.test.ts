import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { frontEnds } from '../../src/render/front-ends.ts'
import { toRecipesPage } from './support/recipes-page.ts'

const top = new URL('../../', import.meta.url)

it('the page about front ends is the one that these front ends make', async () => {
  const page = toRecipesPage(frontEnds)
  await expect(page).toMatchFileSnapshot(fileURLToPath(new URL('deploy/recipes/README.md', top)))
})

it('names tests that are there', () => {
  const tests = [...toRecipesPage(frontEnds).matchAll(/test\/\S+\.test\.ts/g)].map(([path]) => path)
  expect(tests.length).toBeGreaterThan(5)
  expect(tests.filter((path) => !existsSync(new URL(path, top)))).toEqual([])
})
