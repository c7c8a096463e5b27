import type { Script } from '../support/recording-upstream.ts'
import { turns } from '../support/until.ts'

/** A script that writes pieces one after the other, with time for each to arrive separately. */
export function answerInPieces(pieces: readonly string[]): Script {
  return async (_request, socket) => {
    socket.setNoDelay(true)
    for (const piece of pieces) {
      socket.write(Buffer.from(piece, 'latin1'))
      await turns(3)
    }
  }
}

/** The same octets cut in two, once at each place. */
export function cutEverywhere(octets: string): [string, string][] {
  return Array.from({ length: octets.length - 1 }, (_, i) => [octets.slice(0, i + 1), octets.slice(i + 1)])
}
