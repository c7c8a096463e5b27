import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** A file that at most one process holds at a time. */
export interface FileLock {
  release(): Promise<void>
}

export interface FileLockTimes {
  /** How often the holder shows that it lives, in milliseconds. Default: 1000. */
  readonly beatMs?: number
  /** After how long without such a sign the holder counts as dead, in milliseconds. Default: 10 000. */
  readonly staleMs?: number
}

/**
 * Takes a lock, which is a file that the holder makes and touches. A holder that died touches it no more: after a while
 * somebody else takes it. Only the waiter's own clock counts, so machines whose clocks differ may share a disk.
 *
 * @param whenHeld `wait` for as long as it takes, or `refuse`, for which one sign of life of the holder is awaited
 * @returns the lock, or that somebody holds it
 * @throws Node's error (`code` ENOENT, EACCES …) when the file can't be made
 */
export function takeFileLock(path: string, whenHeld: 'wait', times?: FileLockTimes): Promise<FileLock>
export function takeFileLock(
  path: string,
  whenHeld: 'refuse',
  times?: FileLockTimes,
): Promise<FileLock | 'held'>
export async function takeFileLock(
  path: string,
  whenHeld: 'wait' | 'refuse',
  { beatMs = 1000, staleMs = 10_000 }: FileLockTimes = {},
): Promise<FileLock | 'held'> {
  let seen: { readonly mark: string; readonly sinceMs: number; looks: number } | undefined
  for (;;) {
    const lock = await tryTake(path, beatMs)
    if (lock !== undefined) return lock
    const holder = await readHolder(path)
    if (holder === undefined) continue
    if (seen?.mark !== holder.mark) {
      if (seen !== undefined && whenHeld === 'refuse') return 'held'
      seen = { mark: holder.mark, sinceMs: performance.now(), looks: 1 }
    } else if (seen.looks < fewestLooks || performance.now() - seen.sinceMs < staleMs) {
      seen.looks += 1
    } else {
      await removeDead(path, holder.owner)
    }
    await sleep(20 + Math.random() * 40)
  }
}

async function tryTake(path: string, beatMs: number): Promise<FileLock | undefined> {
  const owner = randomUUID()
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    await file.writeFile(owner)
  } catch (error) {
    // On a full disk nobody should have to wait for a holder that there is not.
    await file.close()
    await unlink(path).catch(ignoreAbsence)
    throw error
  }
  const beat = setInterval(() => {
    const now = new Date()
    // A beat that fails is one that is missed; the next one may not.
    file.utimes(now, now).catch(() => {})
  }, beatMs)
  beat.unref()
  return {
    async release() {
      clearInterval(beat)
      await file.close()
      if ((await readHolder(path))?.owner === owner) await unlink(path).catch(ignoreAbsence)
    },
  }
}

interface Holder {
  readonly owner: string
  /** Changes with each sign of life. */
  readonly mark: string
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const { mtimeMs, ino } = await stat(path)
    const owner = await readFile(path, 'utf8')
    return { owner, mark: `${owner} ${ino} ${mtimeMs}` }
  } catch (error) {
    ignoreAbsence(error)
    return undefined
  }
}

/** Only one of several waiters gets to move it away; should that be a new holder's already, it is put back. */
async function removeDead(path: string, owner: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
    if ((await readFile(aside, 'utf8')) !== owner) await link(aside, path)
  } catch (error) {
    ignoreAbsence(error)
  }
  await unlink(aside).catch(ignoreAbsence)
}

function ignoreAbsence(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ENOENT' && code !== 'EEXIST') throw error
}

/** Whoever was stopped for long, and looks again for the first time, has seen nothing of the holder. */
const fewestLooks = 20
