import { join } from 'node:path'
import { expect, it } from 'vitest'
import { frontEnds } from '../../src/front-ends/index.ts'
import { top } from '../project/source-tree.ts'
import { toRecipesPage } from './support/recipes-page.ts'

it('the page about front ends is the one generated from them', async () => {
  const page = toRecipesPage(frontEnds)
  await expect(page, 'npm run documents writes it').toMatchFileSnapshot(join(top, 'deploy/recipes/README.md'))
})
