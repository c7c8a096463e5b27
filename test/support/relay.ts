import { connect, createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'

/** A relay whose port is known before the port behind it, and that can break: close connections, or never respond. */
export interface Relay {
  readonly port: number
  be(state: number | 'broken' | 'silent'): void
  /** Resolves once there is a connection that gets no response. */
  heldOne(): Promise<void>
  close(): Promise<void>
}

export async function startRelay(): Promise<Relay> {
  const sockets = new Set<Socket>()
  let state: number | 'broken' | 'silent' = 'broken'
  let onHeld = () => {}
  const held = new Promise<void>((resolve) => {
    onHeld = resolve
  })
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    keep(socket)
    if (state === 'broken') return void socket.destroy()
    if (state === 'silent') return onHeld()
    const onward = connect(state, '127.0.0.1')
    keep(onward)
    socket.pipe(onward).pipe(socket)
    socket.on('close', () => onward.destroy())
    onward.on('close', () => socket.destroy())
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const { port, close } = await listen(server)
  return {
    port,
    be(next) {
      state = next
      cut()
    },
    heldOne: () => held,
    close,
  }
}
