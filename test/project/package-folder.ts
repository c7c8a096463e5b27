import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder } from '../support/folder.ts'
import { top } from './source-tree.ts'

/** A folder in which code finds the built package as a user's program does; removed after the tests of the file. */
export async function openPackageFolder(): Promise<string> {
  const folder = openFolder()
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await symlink(top, join(modules, 'continuation-point'), 'dir')
  for (const name of ['@hono', '@types', 'hono'])
    await symlink(join(top, 'node_modules', name), join(modules, name), 'dir')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}
