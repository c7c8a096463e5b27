import { Server as NetServer } from 'node:net'

/**
 * Closes a server's listening socket and keeps its connections; `onClosed` is called when the last of them is closed. The
 * `close` of an HTTP server would also cut idle connections at once and stop enforcing the timeout for request heads.
 */
export function stopAccepting(server: NetServer, onClosed: () => void): void {
  NetServer.prototype.close.call(server, onClosed)
}
