import type { ReadFile } from '../config/read-fault.ts'

/** What files held when they were read, by path: the config and the secrets that it names. */
export type FileTexts = Readonly<Record<string, string>>

/** Reads as `readFile` does, and keeps each text that was read. */
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

/** Reads from texts that were kept, so that what is loaded from them is the same again; any other file is absent. */
export function replayFiles(texts: FileTexts): ReadFile {
  return async (path) => {
    const text = texts[path]
    if (text === undefined) throw Object.assign(new Error('This file was not kept'), { code: 'ENOENT' })
    return text
  }
}
