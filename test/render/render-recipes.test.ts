import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { frontEnds } from '../../src/render/front-ends.ts'
import { type Proof, renderRecipes } from '../../src/render/render-recipes.ts'
import { servers } from './support/real-server.ts'

const page = fileURLToPath(new URL('../../deploy/recipes/README.md', import.meta.url))

/** What the tests of this folder do with each; the others have nothing here to run them. */
const proofs: Readonly<Record<string, Proof>> = {
  ...Object.fromEntries(servers.map(({ name }) => [name, 'driven'])),
  varnish: 'compiled',
  'cloudflare-worker': 'executed',
  cloudfront: 'executed',
}

it('the page about front ends is the one that these front ends make', async () => {
  await expect(renderRecipes(frontEnds, proofs)).toMatchFileSnapshot(page)
})
