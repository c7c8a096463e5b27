import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocks, documents } from '../project/documents.ts'
import { top } from '../project/source-tree.ts'
import frameworks from './frameworks/package.json' with { type: 'json' }

const PAGE = 'docs/frameworks.md'
const shown = blocks.filter(({ path, language }) => path === PAGE && language === 'js')
const text = documents.find(({ path }) => path === PAGE)?.text ?? ''

describe('the page about Next.js, Nuxt and SvelteKit', () => {
  it('shows files that the tests build and start, in full, and links to the others', () => {
    const files = [
      'deploy/examples/next/server.mjs',
      'test/examples/frameworks/nuxt/nuxt.config.js',
      'test/examples/frameworks/sveltekit/svelte.config.js',
    ].map((file) => readFileSync(join(top, file), 'utf8').replace("'../config.json'", "'config.json'"))
    expect(shown.map((block) => block.text)).toEqual(files)
    for (const name of ['nuxt', 'sveltekit'])
      expect(text).toContain(`](../deploy/examples/${name}/server.mjs)`)
  })

  it('builds with the same commands as the tests', () => {
    const built = [...frameworks.scripts.build.matchAll(/&& (\w+ build)/g)].map(([, command]) => command)
    const commands = [...text.matchAll(/^`npx (\w+ build)`/gm)].map(([, command]) => command)
    expect(commands).toEqual(built)
  })

  it('names the versions that were run', () => {
    const { next, nuxt, '@sveltejs/kit': kit } = frameworks.dependencies
    const [a, b, c] = [next, nuxt, kit].map((version) => version.replace(/\.\d+$/, ''))
    expect(text).toContain(`Next.js ${a}, Nuxt ${b} and SvelteKit ${c},`)
  })
})
