/** Reads a UTF-8 file; rejects with Node's error. */
export type ReadFile = (path: string) => Promise<string>

export class FileTooLarge extends Error {
  readonly limitBytes: number

  constructor(limitBytes: number) {
    super('The file is too large')
    this.limitBytes = limitBytes
  }
}

/** Why a file could not be read or written, as a clause; not Node's message, which repeats the path. */
export function fileFault(error: unknown, action: 'read' | 'write'): string {
  if (error instanceof FileTooLarge) return `it is larger than ${error.limitBytes / 2 ** 20} MiB`
  if (error instanceof RangeError) return 'it is larger than a text can be'
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error'
  if (code === 'ENOENT') return action === 'read' ? 'it does not exist' : 'its folder does not exist'
  if (code === 'EACCES' || code === 'EPERM') return `this user may not ${action} it`
  if (code === 'ENXIO') return action === 'read' ? 'it is a socket' : 'nobody reads it'
  return REASON_BY_CODE.get(code) ?? code
}

/** The same for a file that is being written; `undefined` once it is. */
export function findWriteFault(writing: Promise<void>): Promise<string | undefined> {
  return writing.then(
    () => undefined,
    (error: unknown) => fileFault(error, 'write'),
  )
}

const REASON_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['ENOTDIR', 'a part of its path is not a directory'],
  ['EISDIR', 'it is a directory'],
  ['EROFS', 'its disk is read-only'],
  ['ENOSPC', 'its disk is full'],
  ['ERR_INVALID_ARG_VALUE', 'its path is not valid'],
  ['ENAMETOOLONG', 'its path is too long'],
])
