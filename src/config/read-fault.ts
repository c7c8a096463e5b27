/** Reads a UTF-8 file; rejects with Node's error. */
export type ReadFile = (path: string) => Promise<string>

/** Why a file could not be read, as a clause; not Node's message, which repeats the path. */
export function readFaultReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error'
  return reasonByCode[code] ?? code
}

const reasonByCode: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is no directory',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  EISDIR: 'it is a directory',
  ERR_INVALID_ARG_VALUE: 'its path is not valid',
  ENAMETOOLONG: 'its path is too long',
}
