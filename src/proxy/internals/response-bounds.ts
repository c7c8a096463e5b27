import type { Socket } from 'node:net'

/**
 * Bounds the lines of a response's head and of its trailers while they arrive. undici's parser counts only the octets of
 * names and values, so a service could fill the heap with tiny lines.
 *
 * @param socket one that undici has begun to use; it is destroyed with what `toFault` returns
 */
export function boundResponses(socket: Socket, mostLines: number, toFault: () => Error): void {
  const parser = parserOf(socket)
  if (parser === undefined) return
  const { onHeaderField } = parser
  parser.onHeaderField = (name) => {
    if (parser.headers.length < 2 * mostLines) return onHeaderField.call(parser, name)
    socket.destroy(toFault())
    return STOP
  }
}

/** undici's parser of responses, of which each connection has one. */
interface Parser {
  /** Names and values in turn. */
  readonly headers: readonly Buffer[]
  /** Called for each name, or piece of a name. */
  onHeaderField(name: Buffer): number
}

function parserOf(socket: Socket): Parser | undefined {
  for (const key of Object.getOwnPropertySymbols(socket)) {
    const value: unknown = Reflect.get(socket, key)
    if (typeof value === 'object' && value !== null && 'onHeaderField' in value) return value as Parser
  }
  return undefined
}

/** Makes the parser fail. */
const STOP = -1
