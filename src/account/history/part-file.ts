import { constants } from 'node:fs'
import { type FileHandle, lstat, open, rename, unlink, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { json } from '../../api/answer.ts'
import { ApiError } from '../../api/errors.ts'
import { type FileLock, type FileLockTimes, takeFileLock } from '../../api/file-lock.ts'
import { nothingIfAbsent, openOwn, readOwn } from '../../api/own-file.ts'
import { integer, mapOf, strict, text, type ValueOf } from '../../api/schema.ts'
import { mayPass } from '../service-fault.ts'
import { type ExportProgress, exportHistory, type HistoryOrder } from './export-history.ts'

/** Writes the history to a file, goes on where an earlier run was interrupted, and returns how many sessions it has. */
export async function saveHistory(
  order: HistoryOrder,
  path: string,
  replace: boolean,
): Promise<number | PartRefusal> {
  const { account, api, fromMs, toMs, format } = order
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
  const part = await openPartFile(path, { from, to, format, api, account }, { replace })
  if ('message' in part) return part
  const { slices, sessions: there } = part.before
  try {
    if (slices > 0) order.tell(`Continuing an interrupted export: it has ${there} sessions so far.`)
    const sessions = await exportHistory(order, part, part.before)
    await part.finish()
    return sessions
  } catch (error) {
    if (!(error instanceof ApiError) || mayPass(error)) {
      order.tell('The export was interrupted. Run the same command again to continue it.')
    }
    throw error
  } finally {
    await part.close()
  }
}

/** What identifies an export, so that a second run can continue an interrupted one. */
type ExportIdentity = Readonly<Record<string, string>>

/** Why an export is not begun. */
interface PartRefusal {
  readonly message: string
  /** If another process writes there, which passes. */
  readonly outcome?: 'inconclusive'
}

/** An export that is written next to its file until it is complete. */
export type PartFile = ReturnType<typeof toPartFile>

/** Identifies the interrupted export if there is one, for settings that this run does not give. */
export async function readInterrupted(path: string): Promise<ExportIdentity | undefined> {
  return (await readState(path))?.identity
}

/**
 * Opens the part of an export: `FILE.part`, which only its owner may read, with its progress in `FILE.part.json`, and
 * `FILE.part.lock` held while it is open.
 *
 * @param options `replace`: whether a file that is there may be replaced. Default: false.
 * @throws Node's error, or UnsafeFileError for files of an earlier run that others may have prepared
 */
export async function openPartFile(
  path: string,
  identity: ExportIdentity,
  { replace = false, ...times }: FileLockTimes & { readonly replace?: boolean } = {},
): Promise<PartFile | PartRefusal> {
  const obstacle = await findObstacle(path, replace)
  if (obstacle !== undefined) return { message: `${path} ${obstacle}` }
  const lock = await takeFileLock(`${path}.part.lock`, 'refuse', times)
  if (lock === 'held') {
    const message = `another export is writing ${path}: wait for it, or name another file`
    return { message, outcome: 'inconclusive' }
  }
  let part: FileHandle | undefined
  try {
    const state = await readState(path)
    if (state !== undefined && !isDeepStrictEqual(state.identity, identity)) {
      await lock.release()
      const { from = '', to = '', format = '' } = state.identity
      return {
        message:
          `${path}.part belongs to another interrupted export (--from ${from} --to ${to} --format ${format}): ` +
          `finish that one, or delete ${path}.part.json`,
      }
    }
    part = state === undefined ? await openNew(`${path}.part`) : await openKept(`${path}.part`)
    const { size } = await part.stat()
    const before = state === undefined || size < state.bytes ? NOTHING : state
    await part.truncate(before.bytes)
    return toPartFile(path, identity, part, lock, before)
  } catch (error) {
    await part?.close()
    await lock.release()
    throw error
  }
}

function toPartFile(
  path: string,
  identity: ExportIdentity,
  part: FileHandle,
  lock: FileLock,
  before: typeof NOTHING,
) {
  let { bytes } = before
  return {
    /** What an earlier run has completed. */
    before,
    async append(text: string): Promise<void> {
      const chunk = Buffer.from(text)
      await part.writeFile(chunk)
      bytes += chunk.length
    },
    async keep({ slices, sessions }: ExportProgress): Promise<void> {
      await part.datasync()
      const state: State = { identity, slices, sessions, bytes }
      await remove(`${path}.part.json.new`)
      await writeFile(`${path}.part.json.new`, JSON.stringify(state), { flag: 'wx', mode: 0o600 })
      await rename(`${path}.part.json.new`, `${path}.part.json`)
    },
    /** Makes the export the file, and replaces the one that is there. */
    async finish(): Promise<void> {
      await part.sync()
      await rename(`${path}.part`, path)
      await remove(`${path}.part.json`)
    },
    /** Closes the file; what was kept stays for the next run. */
    async close(): Promise<void> {
      await part.close()
      await lock.release()
    },
  }
}

const partState = strict({
  identity: mapOf(text),
  slices: integer,
  sessions: integer,
  /** How much of the part was kept. */
  bytes: integer,
})

type State = ValueOf<typeof partState>

/** Opens a file that only its owner may read, whatever was in its place before. */
async function openNew(path: string): Promise<FileHandle> {
  await remove(path)
  return open(path, 'wx', 0o600)
}

/** Opens the file of an earlier run, but none that others may have prepared. */
async function openKept(path: string): Promise<FileHandle> {
  const part = await openOwn(path, constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY)
  await part.chmod(0o600)
  return part
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch(nothingIfAbsent)
}

async function readState(path: string): Promise<State | undefined> {
  const kept = await readOwn(`${path}.part.json`).catch(nothingIfAbsent)
  const state = kept && json(partState)(kept.text)
  return state !== undefined && 'value' in state ? state.value : undefined
}

/** Why there can be no file. Without this the rename at the end would replace `/dev/null` with one. */
async function findObstacle(path: string, replace: boolean): Promise<string | undefined> {
  const there = await lstat(path).catch(nothingIfAbsent)
  if (there === undefined || (there.isFile() && replace)) return undefined
  if (there.isFile()) return 'exists already: name another file, or replace it with --force'
  return there.isDirectory()
    ? 'is a directory: name a file'
    : 'is not a regular file: name another, or omit --output to use standard output'
}

const NOTHING = { slices: 0, sessions: 0, bytes: 0 }
