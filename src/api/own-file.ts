import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'

/** A file or folder of secrets that others can have prepared. The message names it, the reason and the next step. */
export class UnsafeFileError extends Error {
  constructor(path: string, fault: string) {
    super(`${path} ${fault}`)
    this.name = 'UnsafeFileError'
  }
}

/**
 * Opens a file that nobody else can have written: no link, pipe or device, of this user, writable by nobody else.
 *
 * @throws UnsafeFileError; otherwise Node's error
 */
export async function openOwn(path: string, flags = constants.O_RDONLY): Promise<FileHandle> {
  // Without O_NONBLOCK a pipe would wait for its other end.
  const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags | safely, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw new UnsafeFileError(path, 'is a link: delete it')
    throw error
  })
  const stats = await file.stat()
  const fault = stats.isFile() ? findFault(stats, 0o022) : 'is not a regular file'
  if (fault === undefined) return file
  await file.close()
  throw new UnsafeFileError(path, `${fault}: delete it`)
}

/** Reads such a file. Throws like `openOwn`. */
export async function readOwn(path: string): Promise<{ readonly text: string; readonly stats: Stats }> {
  const file = await openOwn(path)
  try {
    return { stats: await file.stat(), text: await file.readFile('utf8') }
  } finally {
    await file.close()
  }
}

/** Makes sure that only this user can read and change what is in a folder. Throws like `openOwn`. */
export async function checkOwnFolder(path: string): Promise<void> {
  const fault = findFault(await stat(path), 0o077)
  if (fault !== undefined)
    throw new UnsafeFileError(path, `${fault}: make it yours with mode 700, or name another folder`)
}

/** Windows has neither users with numbers nor modes. */
function findFault({ uid, mode }: Stats, forOthers: number): string | undefined {
  if (process.geteuid === undefined) return undefined
  if (uid !== process.geteuid()) return 'belongs to another user'
  return (mode & forOthers) === 0 ? undefined : 'is open to other users'
}

/** For `catch`: `undefined` if there is no such file; throws any other error of Node. */
export function nothingIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
