import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Watches the heads of a connection that come in several reads. Of each of these Node's parser keeps a copy of every field
 * until another takes its place: of 31 heads with one field of 60 KB 1.9 MB, as long as the connection is open. No option of
 * Node bounds that, and 600 connections would end a small container.
 *
 * The parser calls its properties 0 and 5 when a request begins, and after each read.
 *
 * @returns whether the heads up to that of this request may add up to more than the limit; to be called once for each
 */
export function watchHeads(socket: Socket, limitBytes: number): (incoming: IncomingMessage) => boolean {
  let head: 'none' | 'begun' | 'held' = 'none'
  let keptBytes = 0
  const parser: Parser | undefined = Reflect.get(socket, 'parser') ?? undefined
  const afterRead = parser?.[AFTER_READ]
  if (parser !== undefined && typeof afterRead === 'function') {
    parser[ON_BEGIN] = () => {
      head = 'begun'
    }
    parser[AFTER_READ] = (...parsed: unknown[]) => {
      if (head === 'begun') head = 'held'
      Reflect.apply(afterRead, parser, parsed)
    }
  }
  return ({ rawHeaders, url = '' }) => {
    if (head === 'held') keptBytes += rawHeaders.reduce((sum, text) => sum + text.length, url.length)
    head = 'none'
    return keptBytes > limitBytes
  }
}

/** Node's parser. It loses these properties when the connection closes, before another connection gets it. */
type Parser = Record<number, unknown>

const [ON_BEGIN, AFTER_READ] = [0, 5] as const
