import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openFolderOfTest } from '../support/folder.ts'
import { listenForTest } from '../support/listen.ts'

export interface BlindService {
  readonly origin: string
  /** What arrived, one string for each connection. */
  readonly octets: string[]
}

/**
 * A service that reads no bodies: after each head it expects the next request, and skips lines that don't begin one. Its
 * answer is the request line's method and path and the Cookie line of the request that it answers.
 */
export async function startBodyBlindService(): Promise<BlindService> {
  const octets: string[] = []
  const server = createServer((socket) => {
    const connection = octets.push('') - 1
    let pending = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      octets[connection] += chunk.toString('latin1')
      pending += chunk.toString('latin1')
      for (;;) {
        const begin = pending.search(/[A-Z]+ \S+ HTTP\/1\.1\r\n/)
        const end = pending.indexOf('\r\n\r\n', begin)
        if (begin === -1 || end === -1) return
        const head = pending.slice(begin, end)
        pending = pending.slice(end + 4)
        const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(head) ?? []
        const [cookie = 'no cookie'] = /^Cookie:.*$/im.exec(head) ?? []
        const body = `${method} ${path} ${cookie}`
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${method === 'HEAD' ? '' : body}`,
        )
      }
    })
  })
  return { origin: `http://127.0.0.1:${await listenForTest(server)}`, octets }
}

/** `python3 -m http.server` with a file for each name, behind a relay that keeps the octets of each connection. */
export async function startPythonService(names: readonly string[]): Promise<BlindService> {
  const folder = openFolderOfTest()
  const root = join(folder, 'service_cookie_transfer')
  await mkdir(root)
  for (const name of names) await writeFile(join(root, name), `file of ${name}`)
  const words = ['-u', '-m', 'http.server', '--protocol', 'HTTP/1.1', '--bind', '127.0.0.1', '0']
  const python = spawn('python3', words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    const ended = new Promise((resolve) => python.once('close', resolve))
    python.kill('SIGKILL')
    await ended
  })
  const pythonPort = await new Promise<number>((resolve, reject) => {
    let text = ''
    python.once('error', reject)
    python.once('close', () => reject(new Error(`python3 ended: ${text}`)))
    python.stdout.on('data', (chunk) => {
      text += chunk
      const [, port] = /port (\d+)/.exec(text) ?? []
      if (port !== undefined) resolve(Number(port))
    })
  })
  const octets: string[] = []
  const relay = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = octets.push('') - 1
    const behind = connect({ port: pythonPort, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('data', (chunk) => {
      octets[connection] += chunk.toString('latin1')
    })
    socket.on('error', () => behind.destroy()).pipe(behind)
    behind.on('error', () => socket.destroy()).pipe(socket)
  })
  return { origin: `http://127.0.0.1:${await listenForTest(relay)}`, octets }
}
