import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { openForTest } from './open-for-test.ts'

/** Opens a server, on a free port of loopback unless told otherwise; closing it ends its connections. */
export async function listen(server: Server, port = 0, address = '127.0.0.1') {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await once(server.listen(port, address), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** The same for one test; returns the port. */
export async function listenForTest(...given: Parameters<typeof listen>): Promise<number> {
  return (await openForTest(listen(...given))).port
}
