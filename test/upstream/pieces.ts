import { setImmediate } from 'node:timers/promises'
import type { Script } from '../support/recording-upstream.ts'

/** A script that writes pieces one after the other, with time for each to arrive separately. */
export function answerInPieces(pieces: readonly string[]): Script {
  return async (_request, socket) => {
    socket.setNoDelay(true)
    for (const piece of pieces) {
      socket.write(Buffer.from(piece, 'latin1'))
      for (let turn = 0; turn < 3; turn += 1) await setImmediate()
    }
  }
}

/** The same octets cut in two, once at each place. */
export function cutEverywhere(octets: string): [string, string][] {
  return Array.from({ length: octets.length - 1 }, (_, i) => [octets.slice(0, i + 1), octets.slice(i + 1)])
}
