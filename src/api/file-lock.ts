import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readOwn } from './own-file.ts'

/** A lock that at most one process holds at a time. */
export interface FileLock {
  release(): Promise<void>
}

export interface FileLockTimes {
  /** Interval at which the holder touches the file, in milliseconds. Default: 1000. */
  readonly beatMs?: number
  /** Time without a touch after which the holder counts as dead, in milliseconds. Default: 10 000. */
  readonly staleMs?: number
}

/**
 * Takes a lock: a file that its holder creates and keeps touching. Once a holder has died and stopped touching it, another
 * process takes it. Each waiter measures that by its own clock, so machines whose clocks differ may share a disk.
 *
 * @param whenHeld `wait` for as long as it takes, or `refuse` once the holder has touched the file
 * @returns the lock, or `held`
 * @throws Node's error (`code` ENOENT, EACCES …) if the file can't be created, UnsafeFileError if others may have created it
 */
export async function takeFileLock<Held extends 'wait' | 'refuse'>(
  path: string,
  whenHeld: Held,
  { beatMs = 1000, staleMs = 10_000 }: FileLockTimes = {},
): Promise<FileLock | (Held extends 'refuse' ? 'held' : never)> {
  let seen: { readonly mark: string; readonly sinceMs: number; looks: number } | undefined
  for (;;) {
    const lock = await tryTake(path, beatMs)
    if (lock !== undefined) return lock
    const holder = await readHolder(path)
    if (holder === undefined) continue
    if (seen?.mark !== holder.mark) {
      if (seen !== undefined && whenHeld === 'refuse') return 'held' as Held extends 'refuse' ? 'held' : never
      seen = { mark: holder.mark, sinceMs: performance.now(), looks: 1 }
    } else if (seen.looks < FEWEST_LOOKS || performance.now() - seen.sinceMs < staleMs) {
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
    // The disk is full: without this others would wait for a holder that doesn't exist.
    await file.close()
    await unlink(path).catch(ignoreAbsence)
    throw error
  }
  const beat = setInterval(() => {
    const now = new Date()
    // The next touch may succeed.
    file.utimes(now, now).catch(() => {})
  }, beatMs)
  beat.unref()
  return {
    async release() {
      clearInterval(beat)
      try {
        // A waiter may have moved the file away for a moment, to see whose it is.
        for (let tries = 0; tries < MOST_TRIES && (await file.stat()).nlink > 0; tries += 1) {
          if ((await readHolder(path))?.owner === owner) await unlink(path).catch(ignoreAbsence)
          else await sleep(5)
        }
      } finally {
        await file.close()
      }
    },
  }
}

/** Who holds the lock, and a `mark` that changes with each touch. */
async function readHolder(path: string) {
  try {
    const { text: owner, stats } = await readOwn(path)
    return { owner, mark: `${owner} ${stats.ino} ${stats.mtimeMs}` }
  } catch (error) {
    ignoreAbsence(error)
    return undefined
  }
}

/** Only one of several waiters gets to move the file away; if it turns out to be a new holder's, it is put back. */
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

const MOST_TRIES = 100
/** A waiter that was suspended has not watched the holder meanwhile, however much time has passed. */
const FEWEST_LOOKS = 20
