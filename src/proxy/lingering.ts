import type { IncomingMessage, ServerResponse } from 'node:http'
import { endResponse, readOnAfterEnd } from './internals/reserved-response.ts'

/**
 * Ends an answer while its request is still being uploaded: what comes is read on and discarded, RFC 9112 section 9.6,
 * since closing at once would make the client's kernel see a reset, which can destroy an answer that it has not read
 * yet. A connection that stays open needs the rest of the body out of the way too. Neither goes on for long.
 *
 * @param carry is told of octets as they come: their memory is free again at once
 */
export function drainUpload(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  carry: (octets: number) => void,
): void {
  const { socket } = incoming
  let deadline: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(deadline)
    socket.off('close', stop)
  }
  if (!outgoing.shouldKeepAlive || !incoming.complete) {
    deadline = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', stop)
  }
  if (outgoing.shouldKeepAlive) incoming.once('end', stop)
  else readOnAfterEnd(socket)
  endResponse(outgoing)
  incoming.on('data', (chunk: Buffer) => carry(chunk.length))
}

const LINGER_MS = 5_000
