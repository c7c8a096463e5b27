import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Copies the built package into a folder, as another version or as it is; returns its program. */
export async function copyPackage(folder: string, version?: string): Promise<string> {
  const top = fileURLToPath(new URL('../..', import.meta.url))
  await cp(join(top, 'dist'), join(folder, 'dist'), { recursive: true })
  await symlink(join(top, 'node_modules'), join(folder, 'node_modules'))
  const own = JSON.parse(await readFile(join(top, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...own, ...(version && { version }) }))
  return join(folder, 'dist/main.js')
}
