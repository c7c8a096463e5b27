import type { Socket } from 'node:net'

/**
 * Makes Node parse no further request on a client connection: what else arrives is discarded, so that its end is noticed.
 *
 * A read of 64 KiB may hold 3,600 requests, and Node makes objects of all of them, which it keeps until the connection
 * closes. So its parser has nobody to call for the rest of the read; after that, the socket is taken from it.
 */
export function stopParsing(socket: Socket): void {
  // A second time, nobody's callbacks would be kept, and given to the next connection.
  if (stopped.has(socket)) return
  stopped.add(socket)
  const parser = parserOf(socket)
  const callbacks = CALLBACKS.map((at) => parser?.[at])
  if (parser !== undefined) for (const at of [ON_BEGIN, ...CALLBACKS]) parser[at] = undefined
  process.nextTick(() => {
    // Node uses the parser again, for another connection.
    if (parser !== undefined) for (const [i, at] of CALLBACKS.entries()) parser[at] = callbacks[i]
    // With a listener of data, Node's server takes the socket from its parser.
    socket.on('data', () => {})
    socket.removeAllListeners('data')
    socket.resume()
  })
}

const stopped = new WeakSet<Socket>()

/**
 * Keeps Node from pausing the parser of a connection whose last response is not out yet: it pauses the socket too, but with
 * TLS what was read already still comes, and a paused parser would take that for an error.
 */
export function keepParsing(socket: Socket): void {
  const parser = parserOf(socket)
  if (parser !== undefined) parser.pause = () => {}
}

function parserOf(socket: Socket): Parser | undefined {
  return Reflect.get(socket, 'parser') ?? undefined
}

/** Node's parser, which calls its own properties 0 to 4 with what it finds in a read. */
interface Parser {
  [callback: number]: unknown
  pause(): void
}

/** The parser's callback when a request begins. Only a watch of heads is called, and not for the next connection. */
const ON_BEGIN = 0
/** Its callbacks for lines, for a whole head, for pieces of a body, and when a request ends. */
const CALLBACKS = [1, 2, 3, 4] as const
