import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { top } from './source-tree.ts'

/** A folder in which code finds the built package as a user's program does; removed after the tests of the file. */
export async function openPackageFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'package-user-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await symlink(top, join(modules, 'continuation-point'), 'dir')
  for (const name of ['@hono', '@types', 'hono'])
    await symlink(join(top, 'node_modules', name), join(modules, name), 'dir')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}
