import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

/** An address on loopback at which a connection is neither accepted nor refused. */
export interface BlackHole {
  readonly origin: string
  /** Accepts connections from now on, and answers `ok`. */
  release(): void
  close(): Promise<void>
}

/**
 * Listens in a thread that then stops dead, and fills what the kernel takes up for it: `BACKLOG`, on Linux one more.
 */
export async function startBlackHole(): Promise<BlackHole> {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(LISTEN_AND_STOP, { eval: true, workerData: { gate, backlog: BACKLOG } })
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  const fillers: Socket[] = []
  for (let i = 0; i <= BACKLOG; i += 1) {
    const filler = connect(port, '127.0.0.1')
    filler.on('error', () => {})
    fillers.push(filler)
    await new Promise<void>((resolve) => filler.once('connect', resolve))
  }
  const release = () => {
    for (const filler of fillers) filler.destroy()
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    release,
    close: async () => {
      release()
      await worker.terminate()
    },
  }
}

const BACKLOG = 1
const LISTEN_AND_STOP = `
const { parentPort, workerData: { gate, backlog } } = require('node:worker_threads')
const answer = (socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok')
const onConnection = (socket) => socket.on('data', () => answer(socket))
const server = require('node:net').createServer(onConnection).listen({ port: 0, host: '127.0.0.1', backlog }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(gate, 0, 0))
})`
