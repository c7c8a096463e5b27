import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { FileTooLarge } from './file-fault.ts'

const MIB = 2 ** 20
const QUIET_MS = 100
const MOST_TURNS = 10

/** The largest string of Node 20 has a little less than 512 MiB. */
export const LARGEST_TEXT_BYTES = 511 * MIB

/**
 * Reads a UTF-8 file, pipe or device; a file that has just changed again until it stays the same, for about a second.
 *
 * @throws FileTooLarge, or Node's error
 */
export async function readTextFile(
  path: string,
  limitBytes = 4 * MIB,
  openPipe: (path: string) => AsyncIterable<Buffer> = createReadStream,
): Promise<string> {
  const stats = await stat(path)
  if (!stats.isFile()) return readStream((stats.isFIFO() ? openPipe : createReadStream)(path), limitBytes)
  // A file of /proc has no size, and more in it.
  const read = () => readStream(createReadStream(path), limitBytes)
  let text = await read()
  for (let turn = 0; turn < MOST_TURNS && (await hasJustChanged(path)); turn += 1) {
    await wait(QUIET_MS)
    text = await read()
  }
  return text
}

/** The files of /proc, all of them empty for `stat`, have always just changed. */
async function hasJustChanged(path: string): Promise<boolean> {
  const { size, mtimeMs } = await stat(path)
  return size > 0 && Math.abs(Date.now() - mtimeMs) < QUIET_MS
}

/** Reads UTF-8. Counts while reading, since the size of a pipe is unknown and a device such as /dev/zero never ends. */
export async function readStream(stream: AsyncIterable<Buffer>, limitBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream) {
    size += piece.length
    if (size > limitBytes) throw new FileTooLarge(limitBytes)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
