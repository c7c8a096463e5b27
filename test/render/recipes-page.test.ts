import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { frontEnds } from '../../src/render/front-ends.ts'
import { servers } from './support/real-server.ts'
import { type Proof, toRecipesPage } from './support/recipes-page.ts'

const page = fileURLToPath(new URL('../../deploy/recipes/README.md', import.meta.url))

/** What the tests of this folder do with each; the others have nothing here to run them. */
const proofs: Readonly<Record<string, Proof>> = {
  ...Object.fromEntries(servers.map(({ name }) => [name, 'driven'])),
  varnish: 'driven',
  'cloudflare-worker': 'executed',
  cloudfront: 'executed',
}

it('the page about front ends is the one that these front ends make', async () => {
  await expect(toRecipesPage(frontEnds, proofs)).toMatchFileSnapshot(page)
})
