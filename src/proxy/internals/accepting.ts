import { Server as NetServer, type Socket } from 'node:net'

/**
 * Closes a server's listening socket and keeps its connections; `onClosed` is called when the last of them is closed. The
 * `close` of an HTTP server would also cut idle connections at once and stop enforcing the timeout for request heads.
 */
export function stopAccepting(server: NetServer, onClosed: () => void): void {
  NetServer.prototype.close.call(server, onClosed)
}

/** The socket that a server accepted, under the one that TLS made of it. */
export function acceptedUnder(socket: Socket): Socket {
  return Reflect.get(socket, '_parent') ?? socket
}
