import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A new folder for each test of a file or group; the function joins a path below it. */
export function temporaryFolder(): (...names: readonly string[]) => string {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
  return (...names) => join(folder, ...names)
}
