import { join } from 'node:path'
import { MARK } from '../render/part.ts'
import type { Io } from './io.ts'
import { writeFaultReason } from './write-fault.ts'

export interface FileToPlace {
  /** Below the folder. */
  readonly path: string
  readonly text: string
}

/**
 * Writes files below a folder. All are looked at before the first is written: with `ours`, none is written when one of
 * them is there already and `render` did not make it.
 *
 * @returns the paths that were written, or the reason why nothing was, or why not everything
 */
export async function placeFiles(
  folder: string,
  files: readonly FileToPlace[],
  replaced: 'ours' | 'all',
  io: Io,
): Promise<{ readonly paths: readonly string[] } | { readonly refusal: string }> {
  const placed = files.map(({ path, text }) => ({ path: join(folder, path), text }))
  if (replaced === 'ours') {
    const foreign: string[] = []
    for (const { path } of placed) if (await isForeign(path, io)) foreign.push(path)
    if (foreign.length > 0) {
      return {
        refusal: `${foreign.join(' and ')} ${foreign.length === 1 ? 'is' : 'are'} there already and not made by render, so nothing was written: name another folder, or replace with --force`,
      }
    }
  }
  for (const { path, text } of placed) {
    try {
      await io.placeFile(path, text)
    } catch (error) {
      return { refusal: `${path} can't be written: ${writeFaultReason(error)}` }
    }
  }
  return { paths: placed.map(({ path }) => path) }
}

/** A file that can't be read is foreign too, unless nothing can be there: writing then says why. */
async function isForeign(path: string, io: Io): Promise<boolean> {
  try {
    return !(await io.readFile(path)).includes(MARK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code !== 'ENOENT' && code !== 'ENOTDIR'
  }
}
