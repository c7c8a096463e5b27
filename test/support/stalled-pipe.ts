import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Opens a named pipe (64 KiB) in the folder, whose reader reads only when told to. */
export async function openStalledPipe(folder: string) {
  const path = join(folder, 'pipe')
  await promisify(execFile)('mkfifo', [path])
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writeEnd = openSync(path, constants.O_WRONLY)
  const reader = new Socket({ fd: readEnd, readable: true, writable: false })
  reader.setEncoding('utf8')
  let text = ''
  return {
    /** For the `stdio` of a child process. */
    writeEnd,
    /** Reads until the text has the pattern, then stops reading again. */
    readUntil: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
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
    close: () => {
      reader.destroy()
      closeSync(writeEnd)
    },
  }
}
