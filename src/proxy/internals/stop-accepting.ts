import { Server as NetServer } from 'node:net'

/**
 * Closes a server's own socket and leaves its connections alone; `onClosed` is called when the last of them is gone. The
 * `close` of an HTTP server would also cut idle connections at once and stop the clock for request heads.
 */
export function stopAccepting(server: NetServer, onClosed: () => void): void {
  NetServer.prototype.close.call(server, onClosed)
}
