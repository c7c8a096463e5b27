import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A named pipe (64 KiB), whose reader reads only when told to. */
export interface StalledPipe {
  /** A temporary folder, removed by `close`. */
  readonly folder: string
  /** For the `stdio` of a child process. */
  readonly writeEnd: number
  /** Reads until the text has the pattern, then stops reading again. */
  readUntil(pattern: RegExp): Promise<string>
  close(): Promise<void>
}

export async function openStalledPipe(): Promise<StalledPipe> {
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  const path = join(folder, 'pipe')
  await promisify(execFile)('mkfifo', [path])
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writeEnd = openSync(path, constants.O_WRONLY)
  const reader = new Socket({ fd: readEnd, readable: true, writable: false })
  reader.setEncoding('utf8')
  let text = ''
  return {
    folder,
    writeEnd,
    readUntil: (pattern) =>
      new Promise((resolve, reject) => {
        const onData = (more: string) => {
          text += more
          if (!pattern.test(text)) return
          reader.pause()
          reader.off('data', onData)
          resolve(text)
        }
        reader.once('error', reject)
        reader.on('data', onData)
        reader.resume()
      }),
    close: async () => {
      reader.destroy()
      closeSync(writeEnd)
      await rm(folder, { recursive: true })
    },
  }
}
