import { type FileHandle, lstat, open, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { type FileLock, type FileLockTimes, takeFileLock } from '../api/file-lock.ts'
import { isObject } from '../api/shape.ts'
import type { ExportProgress, ExportTarget } from './export-history.ts'

/** What makes two exports the same one, so that the second may go on where the first broke off. */
export type ExportIdentity = Readonly<Record<string, string>>

/** An export on its way into a file: beside it, until it is whole. */
export interface PartFile extends ExportTarget {
  /** What an earlier run has left. */
  readonly before: ExportProgress
  /** Puts the export in the place of the file. */
  finish(): Promise<void>
  /** Lets go of the file; what was kept stays for the next run. */
  close(): Promise<void>
}

/**
 * Somebody else writes there now; or what is there is no file that could be replaced, such as a pipe, a device or a link;
 * or it is of another export: of which, by name.
 */
export type PartRefusal = 'held' | 'directory' | 'no-file' | { readonly other: ExportIdentity }

/** What an earlier run was, if one broke off; for what this run leaves open. */
export async function readInterrupted(path: string): Promise<ExportIdentity | undefined> {
  return (await readState(path))?.identity
}

/**
 * Opens the part of an export, which only its owner may read: `FILE.part`, with `FILE.part.json` saying how far it is and
 * `FILE.part.lock` held all the while.
 *
 * @throws Node's error
 */
export async function openPartFile(
  path: string,
  identity: ExportIdentity,
  times: FileLockTimes = {},
): Promise<PartFile | PartRefusal> {
  const taken = await findObstacle(path)
  if (taken !== undefined) return taken
  const lock = await takeFileLock(`${path}.part.lock`, 'refuse', times)
  if (lock === 'held') return 'held'
  let part: FileHandle | undefined
  try {
    const state = await readState(path)
    if (state !== undefined && !isSame(state.identity, identity)) {
      await lock.release()
      return { other: state.identity }
    }
    part = await open(`${path}.part`, state === undefined ? 'w' : 'a', 0o600)
    const { size } = await part.stat()
    const before = state === undefined || size < state.bytes ? nothing : state
    await part.truncate(before.bytes)
    return toPartFile({ path, identity, part, lock, before })
  } catch (error) {
    await part?.close()
    await lock.release()
    throw error
  }
}

interface State extends ExportProgress {
  readonly identity: ExportIdentity
  /** Of the part, those that were kept. */
  readonly bytes: number
}

interface OpenPart {
  readonly path: string
  readonly identity: ExportIdentity
  readonly part: FileHandle
  readonly lock: FileLock
  readonly before: ExportProgress & { readonly bytes: number }
}

function toPartFile({ path, identity, part, lock, before }: OpenPart): PartFile {
  let { bytes } = before
  return {
    before,
    async append(text) {
      const octets = Buffer.from(text)
      await part.writeFile(octets)
      bytes += octets.length
    },
    async keep({ slices, sessions }) {
      await part.datasync()
      const state: State = { identity, slices, sessions, bytes }
      await writeFile(`${path}.part.json.new`, JSON.stringify(state), { mode: 0o600 })
      await rename(`${path}.part.json.new`, `${path}.part.json`)
    },
    async finish() {
      await part.sync()
      await rename(`${path}.part`, path)
      await unlink(`${path}.part.json`).catch(ignoreAbsence)
    },
    async close() {
      await part.close()
      await lock.release()
    },
  }
}

async function readState(path: string): Promise<State | undefined> {
  const text = await readFile(`${path}.part.json`, 'utf8').catch(ignoreAbsence)
  if (text === undefined) return undefined
  try {
    const state: unknown = JSON.parse(text)
    return isState(state) ? state : undefined
  } catch {
    return undefined
  }
}

function isState(value: unknown): value is State {
  if (!isObject(value) || !isObject(value.identity)) return false
  const counts = [value.slices, value.sessions, value.bytes]
  return (
    counts.every((count) => Number.isSafeInteger(count)) &&
    Object.values(value.identity).every((each) => typeof each === 'string')
  )
}

function isSame(a: ExportIdentity, b: ExportIdentity): boolean {
  return Object.keys({ ...a, ...b }).every((name) => a[name] === b[name])
}

/** The rename at the end would put a file in the place of `/dev/null`. */
async function findObstacle(path: string): Promise<'directory' | 'no-file' | undefined> {
  const there = await lstat(path).catch(ignoreAbsence)
  if (there === undefined || there.isFile()) return undefined
  return there.isDirectory() ? 'directory' : 'no-file'
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

const nothing = { slices: 0, sessions: 0, bytes: 0 }
