import { fileFault } from '../config/file-fault.ts'
import { LARGEST_TEXT_BYTES } from '../config/read-text-file.ts'
import type { FoundScopes } from '../scopes/found-scope.ts'
import { readScopes } from '../scopes/read-scopes.ts'
import type { Io } from './io.ts'

/** @param host canonical; the host that sent the Set-Cookie lines */
export async function loadScopes(
  file: string,
  host: string | undefined,
  io: Io,
): Promise<FoundScopes | string> {
  const read = await readInput(file, io)
  if ('fault' in read) return read.fault
  const found = readScopes(read.text, { host, nowMs: Date.now() })
  return typeof found === 'string' ? `${read.name}: ${found}` : found
}

/** Reads a file, `-` for standard input. */
async function readInput(file: string, { readFile, readStdin }: Io) {
  try {
    const [name, text] =
      file === '-' ? ['standard input', await readStdin()] : [file, await readFile(file, LARGEST_TEXT_BYTES)]
    // For example UTF-16, which redirections in PowerShell write.
    return text.includes('\0') ? { fault: `${name} is not text in UTF-8: save it as UTF-8` } : { text, name }
  } catch (error) {
    return { fault: `${file} can't be read: ${fileFault(error, 'read')}` }
  }
}
