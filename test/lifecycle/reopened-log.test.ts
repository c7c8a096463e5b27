import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MAIN } from '../support/program.ts'
import { askPoint, openServed } from '../support/served.ts'
import { until } from '../support/until.ts'

const LISTENING = /"url":"([^"]+)"/g

it('a named pipe whose reader ended gets lines again once there is another reader', async () => {
  const { folder, file, write } = await openServed()
  const path = join(folder, 'log')
  execFileSync('mkfifo', [path])
  await write({ admin: { port: 0 }, log: {} })
  const first = openReader(path)
  const output = openSync(path, constants.O_WRONLY)
  const child = spawn(process.execPath, [MAIN, 'serve', '--config', file], {
    stdio: ['ignore', output, 'inherit'],
  })
  closeSync(output)
  onTestFinished(() => void child.kill('SIGKILL'))
  const urlsIn = (text: string) => [...text.matchAll(LISTENING)].map(([, url = '']) => url)
  const [publicUrl = ''] = urlsIn(await first.readUntil((text) => urlsIn(text).length === 2))
  const port = Number(new URL(publicUrl).port)
  first.close()
  for (let asked = 0; asked < 5; asked += 1) expect(await askPoint(port)).toBe('HTTP/1.1 200 OK')
  const second = openReader(path)
  expect(await askPoint(port)).toBe('HTTP/1.1 200 OK')
  const text = await second.readUntil((seen) => [...seen.matchAll(/"msg":"exchange"/g)].length === 6)
  for (const line of text.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('level')
  child.kill('SIGTERM')
  await second.readUntil((seen) => /"msg":"stopped"/.test(seen))
  second.close()
})

function openReader(path: string) {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const bytes = Buffer.alloc(65_536)
  let text = ''
  const read = () => {
    try {
      text += bytes.toString('utf8', 0, readSync(file, bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
    return text
  }
  return {
    readUntil: async (isEnough: (text: string) => boolean) => {
      await until(() => isEnough(read()))
      return text
    },
    close: () => closeSync(file),
  }
}
