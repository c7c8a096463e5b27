/** Why a file could not be written, as a clause; never Node's own message, which repeats the path. */
export function writeFaultReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error'
  return reasonByCode[code] ?? code
}

const reasonByCode: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is no directory',
  EACCES: 'this user may not write it',
  EPERM: 'this user may not write it',
  EISDIR: 'it is a directory',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  ERR_INVALID_ARG_VALUE: 'its path is not valid',
  ENAMETOOLONG: 'its path is too long',
}
