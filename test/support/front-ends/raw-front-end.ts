import { createServer, type Socket } from 'node:net'
import { listen } from '../listen.ts'

/** A server of octets: it does to each connection what the script says, once something has arrived on it. */
export async function startRawFrontEnd(script: (socket: Socket, octets: string) => void) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => {}).on('data', (chunk) => script(socket, chunk.toString('latin1')))
  })
  const { port, close } = await listen(server)
  return {
    port,
    /** How many connections there were. */
    connections: () => connections,
    close,
  }
}

/** Writes a piece again and again, for as long as the peer reads. */
export function flood(socket: Socket, piece: string): void {
  const fill = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', fill)
  fill()
}

/** A port on loopback where nothing listens. */
export async function closedPort(): Promise<number> {
  const { port, close } = await listen(createServer())
  await close()
  return port
}
