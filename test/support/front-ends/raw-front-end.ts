import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export interface RawFrontEnd {
  readonly port: number
  /** How many connections there were. */
  readonly connections: () => number
  close(): Promise<void>
}

/** A server of octets: it does to each connection what the script says, once something has arrived on it. */
export async function startRawFrontEnd(
  script: (socket: Socket, octets: string) => void,
): Promise<RawFrontEnd> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => script(socket, chunk.toString('latin1')))
  })
  const port = await listen(server)
  return {
    port,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** A port on loopback where nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
