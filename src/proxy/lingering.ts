import type { IncomingMessage, ServerResponse } from 'node:http'
import { endResponse, readOnAfterEnd } from './internals/reserved-response.ts'

/**
 * Ends a response while its request is still being uploaded. The rest of the upload is read and discarded (RFC 9112
 * section 9.6): closing at once would send a reset, which can destroy a response that the client has not read yet. A
 * connection that stays open needs the rest of the body out of the way too. Both have a time limit.
 *
 * @param onPiece is called with the size of each discarded piece
 */
export function drainUpload(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onPiece: (octets: number) => void,
): void {
  const { socket } = incoming
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS)
  const stop = () => {
    clearTimeout(deadline)
    socket.off('close', stop)
  }
  socket.once('close', stop)
  if (outgoing.shouldKeepAlive) incoming.once('end', stop)
  else readOnAfterEnd(socket)
  endResponse(outgoing)
  incoming.on('data', (chunk: Buffer) => onPiece(chunk.length))
}

const LINGER_MS = 5_000
