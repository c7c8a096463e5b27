import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSources, top } from '../project/source-tree.ts'

const sources = new Map(readSources('src').map((file) => [file.path, file]))

/** What `continuation-point/edge` loads: files of ours, and everything else by its specifier. */
function loadedBy(path: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(path)) return loaded
  loaded.add(path)
  for (const { target, kind } of sources.get(path)?.imports ?? []) {
    if (kind !== 'type') loadedBy(target, loaded)
  }
  return loaded
}

const loaded = [...loadedBy('src/edge.ts')]
const foreign = loaded.filter((target) => !target.startsWith('src/')).sort()

it('loads the app, the config and the decisions, and no module of Node', () => {
  expect(loaded).toEqual(expect.arrayContaining(['src/edge/edge-app.ts', 'src/forward/request.ts']))
  expect(foreign).toEqual(['hono', 'valibot'])
})

it.each(foreign)('%s loads no module of Node', (name) => {
  const specifiers = scriptsOf(join(top, 'node_modules', name)).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import|import\()\s*["']([^"'\s]+)["']/g)].map(
      ([, specifier = '']) => specifier,
    ),
  )
  const ofNode = specifiers.filter((each) => each.startsWith('node:') || builtinModules.includes(each))
  expect(ofNode).toEqual([])
})

/** The ES modules of a package that its main entry can reach; Hono's adapters for other runtimes are entries of their own. */
function scriptsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.m?js$/.test(path) && !/(?:^|\/)(?:adapter|cjs|umd|helper|middleware)\//.test(path))
    .map((path) => join(folder, path))
}
