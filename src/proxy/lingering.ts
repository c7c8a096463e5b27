import type { IncomingMessage, ServerResponse } from 'node:http'
import { endResponse } from './reserved-response.ts'

/**
 * Reads on and discards what a client still uploads after its answer was written, RFC 9112 section 9.6: closing at
 * once would make the client's kernel see a reset, which can destroy an answer that it has not read yet. A connection
 * that stays open needs the rest of the body out of the way too. Neither goes on for long.
 */
export function drainUpload(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const deadline = setTimeout(() => incoming.socket.destroy(), LINGER_MS)
  const finish = () => {
    clearTimeout(deadline)
    endResponse(outgoing)
  }
  incoming.once('end', finish).once('close', finish)
  // Node closes the connection as soon as a last answer ends, so that end waits.
  if (outgoing.shouldKeepAlive) endResponse(outgoing)
  incoming.resume()
}

const LINGER_MS = 5_000
