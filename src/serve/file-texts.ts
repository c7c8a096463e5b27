import type { ReadFile } from '../config/file-fault.ts'

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

/** Reads from recorded texts, so that loading gives the same result again; any other file is missing. */
export function replayFiles(texts: FileTexts): ReadFile {
  return async (path) => {
    const text = texts[path]
    if (text === undefined) throw Object.assign(new Error('This file was not recorded'), { code: 'ENOENT' })
    return text
  }
}
