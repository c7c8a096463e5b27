import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { FileTooLarge } from './file-fault.ts'

const MIB = 2 ** 20

/** The largest string of Node 20 has a little less than 512 MiB. */
export const LARGEST_TEXT_BYTES = 511 * MIB

/**
 * Reads a UTF-8 file, pipe or device.
 *
 * @throws FileTooLarge, or Node's error
 */
export async function readTextFile(path: string, limitBytes = 16 * MIB): Promise<string> {
  const stats = await stat(path)
  if (!stats.isFile()) return readStream(path, limitBytes)
  if (stats.size > limitBytes) throw new FileTooLarge(limitBytes)
  return readFile(path, 'utf8')
}

/** Counts while reading, since the size of a pipe is unknown and a device such as /dev/zero never ends. */
async function readStream(path: string, limitBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of createReadStream(path)) {
    size += piece.length
    if (size > limitBytes) throw new FileTooLarge(limitBytes)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
