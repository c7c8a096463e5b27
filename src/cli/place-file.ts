import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A rename within a folder takes effect at once. */
export async function placeFile(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${randomUUID()}.unfinished`
  try {
    await writeFile(unfinished, content, { flag: 'wx', mode })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** What is at a path. A pipe or a folder is `other`, and so is what can't be examined. */
export async function kindOf(path: string): Promise<'nothing' | 'file' | 'other'> {
  try {
    // A dangling symbolic link takes up the name too.
    const stats = await stat(path).catch(() => lstat(path))
    return stats.isFile() ? 'file' : 'other'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'nothing' : 'other'
  }
}
