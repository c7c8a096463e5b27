import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder()
const built = new URL('../../dist/api/index.js', import.meta.url).href

/** Keeps a value in a process that may write files of so many blocks of 512 bytes; prints how that ended. */
function keepWithin(blocks: number): string {
  const script = `
    import { fileTokenStore } from ${JSON.stringify(built)}
    const store = fileTokenStore(${JSON.stringify(folder())})
    const keep = () => store.set('key', 'x'.repeat(2000), 1000)
    console.log(await store.exclusive('key', keep).catch(({ code }) => code))`
  const limited = `ulimit -f ${blocks}; trap '' XFSZ; exec "$0" --input-type=module -e "$1"`
  return execFileSync('sh', ['-c', limited, process.execPath, script], { encoding: 'utf8' }).trim()
}

it.each([
  ['the lock', 0],
  ['the value', 1],
])('leaves nothing behind where there is no room for %s', async (_what, blocks) => {
  expect(keepWithin(blocks)).toBe('EFBIG')
  expect(await readdir(folder())).toEqual([])
})
