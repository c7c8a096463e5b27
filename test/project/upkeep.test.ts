import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFolderOfTest } from '../support/folder.ts'
import { listenForTest } from '../support/listen.ts'
import { npmEnv } from '../support/npm-env.ts'
import { runProgram } from '../support/program.ts'
import { top } from './source-tree.ts'

const PUBLISHED = '2026-06-01T00:00:00.000Z'

describe('release/upkeep.mjs, for a package that depends on ^1.0.0 and has 1.2.0', () => {
  it('has nothing to say if newer versions are outside the range and the list is 120 days old', async () => {
    const registry = await startRegistry(['1.2.0', '2.0.0'])
    expect(await upkeep(registry, '2026-09-29')).toEqual({ code: 0, printed: '' })
  })

  it('fails if a newer version is within the range, and warns of a list that is 121 days old', async () => {
    const registry = await startRegistry(['1.2.0', '1.3.0', '2.0.0'])
    expect(await upkeep(registry, '2026-09-30')).toEqual({
      code: 1,
      printed: `✖ tldts is 1.2.0, and its range has 1.3.0: npm update tldts
! the Public Suffix List (tldts 1.2.0) is 121 days old: npm update tldts
`,
    })
  })

  it('only warns in CI', async () => {
    const registry = await startRegistry(['1.2.0', '1.3.0'])
    expect(await upkeep(registry, '2026-09-29', { CI: 'true' })).toEqual({
      code: 0,
      printed: '! tldts is 1.2.0, and its range has 1.3.0: npm update tldts\n',
    })
  })

  it('says what it skipped where there is no registry', async () => {
    expect(await upkeep('http://127.0.0.1:1', '2026-09-30')).toEqual({
      code: 0,
      printed: `! skipped, no registry (ECONNREFUSED): npm outdated
! skipped, no registry (ECONNREFUSED): the age of the Public Suffix List
`,
    })
  })
})

/** Runs it on a day, with a registry and a cache of its own. */
async function upkeep(registry: string, date: string, { CI }: { CI?: string } = {}) {
  const folder = openFolderOfTest()
  writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "tldts": "^1.0.0" } }')
  mkdirSync(join(folder, 'node_modules/tldts'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/tldts/package.json'), '{ "name": "tldts", "version": "1.2.0" }')
  const own = { CI, npm_config_registry: registry, npm_config_cache: join(folder, 'cache') }
  const { code, stdout, stderr } = await runProgram([folder, date], {
    script: join(top, 'release/upkeep.mjs'),
    env: { ...npmEnv(), ...own } as Record<string, string>,
  })
  return { code, printed: stdout + stderr }
}

/** A registry that has these versions of every package. */
async function startRegistry(versions: readonly string[]): Promise<string> {
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    const toTarball = (version: string) => ({ tarball: `http://127.0.0.1/${name}-${version}.tgz` })
    response.setHeader('Content-Type', 'application/json')
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: versions.at(-1) },
        versions: Object.fromEntries(
          versions.map((version) => [version, { name, version, dist: toTarball(version) }]),
        ),
        time: Object.fromEntries(versions.map((version) => [version, PUBLISHED])),
      }),
    )
  })
  return `http://127.0.0.1:${await listenForTest(server)}`
}
