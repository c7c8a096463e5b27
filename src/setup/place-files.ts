import { dirname, join } from 'node:path'
import { fileFault } from '../config/file-fault.ts'
import { MARK } from '../front-ends/part.ts'

interface Disk {
  kindOf(path: string): Promise<'nothing' | 'file' | 'other'>
  readFile(path: string): Promise<string>
  /** Names; none if there is no such folder. */
  listFolder(path: string): Promise<readonly string[]>
  /** Writes a file atomically, and creates missing folders. */
  placeFile(path: string, text: string): Promise<void>
}

export interface FileToPlace {
  readonly path: string
  readonly text: string
}

/**
 * Writes files below a folder. Unless it may replace foreign files, it writes nothing if one of the paths exists and
 * was not made by `render`.
 *
 * @returns the written paths, or why some could not be written
 */
export async function placeFiles(
  folder: string,
  files: readonly FileToPlace[],
  replacesForeign: boolean,
  disk: Disk,
): Promise<{ readonly paths: readonly string[] } | { readonly fault: string }> {
  const placed = files.map(({ path, text }) => ({ path: join(folder, path), text }))
  if (!replacesForeign) {
    const foreign: string[] = []
    for (const { path } of placed) if (await isForeign(path, disk)) foreign.push(path)
    if (foreign.length > 0) {
      return {
        fault: `${foreign.join(' and ')} ${foreign.length === 1 ? 'is' : 'are'} there already and not made by render, so nothing was written: name another folder, or replace with --force`,
      }
    }
  }
  for (const { path, text } of placed) {
    try {
      await disk.placeFile(path, text)
    } catch (error) {
      return { fault: `${path} can't be written: ${fileFault(error, 'write')}` }
    }
  }
  return { paths: placed.map(({ path }) => path) }
}

/** Files that `render` made for this front end in the same folders, but not now: of points that are gone. */
export async function findLeftOver(
  paths: readonly string[],
  frontEnd: string,
  disk: Disk,
): Promise<readonly string[]> {
  const left: string[] = []
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    for (const name of await disk.listFolder(folder)) {
      const path = join(folder, name)
      if (paths.includes(path) || (await disk.kindOf(path)) !== 'file') continue
      const text = await disk.readFile(path).catch(() => '')
      if (text.includes(`${MARK} ${frontEnd}\n`)) left.push(path)
    }
  }
  return left
}

/** Whether there is something that `render` did not make. Only files are read: reading a pipe would wait for a writer. */
async function isForeign(path: string, disk: Disk): Promise<boolean> {
  const kind = await disk.kindOf(path)
  if (kind !== 'file') return kind === 'other'
  const text = await disk.readFile(path).catch(() => '')
  return !text.includes(MARK)
}
