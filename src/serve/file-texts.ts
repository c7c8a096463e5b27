import type { ReadFile } from '../config/file-fault.ts'
import type { OwnProcess } from './own-process.ts'

/** The contents of files when they were read, by path: the config and the secrets that it refers to. */
export type FileTexts = Readonly<Record<string, string>>

/** Reads like `readFile` and records each text. */
export function recordFiles(readFile: ReadFile): { readonly readFile: ReadFile; readonly texts: FileTexts } {
  const texts: Record<string, string> = {}
  return {
    readFile: async (path) => {
      texts[path] = await readFile(path)
      return texts[path]
    },
    texts,
  }
}

/**
 * The texts as they are now. One that is empty or can't be read counts as unchanged: it may be about to be replaced. So
 * does a pipe: nobody may write to it again, and whoever does means it for a reload.
 */
export async function readAgain(
  texts: FileTexts,
  { readFile, kindOf }: Pick<OwnProcess, 'readFile' | 'kindOf'>,
): Promise<FileTexts> {
  const read = async (path: string) => ((await kindOf(path)) === 'file' ? await readFile(path) : '')
  const now: Record<string, string> = {}
  for (const [path, text] of Object.entries(texts)) now[path] = (await read(path).catch(() => '')) || text
  return now
}

/** Reads from recorded texts, so that loading gives the same result again; any other file is missing. */
export function replayFiles(texts: FileTexts): ReadFile {
  return async (path) => {
    const text = texts[path]
    if (text === undefined) throw Object.assign(new Error('This file was not recorded'), { code: 'ENOENT' })
    return text
  }
}
