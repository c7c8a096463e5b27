import type { Socket } from 'node:net'
import { ResponseFault } from './response-start.ts'

/**
 * Bounds the lines that undici's parser takes on one connection. It counts only the octets of names and values, so a service could fill the heap with tiny lines: these are bounded while
 * they arrive, of heads and of trailers.
 *
 * @param socket one that undici has begun to use
 */
export function boundLines(socket: Socket, mostLines: number): void {
  const parser = parserOf(socket)
  if (parser === undefined) return
  const { onHeaderField } = parser
  parser.onHeaderField = (name) => {
    if (parser.headers.length < 2 * mostLines) return onHeaderField.call(parser, name)
    socket.destroy(new ResponseFault('upstream-head-too-large', 'HEAD_LINES'))
    return STOP
  }
}

/** undici's parser of responses, of which each connection has one. */
interface Parser {
  /** Names and values in turn. */
  readonly headers: readonly Buffer[]
  /** Called for each field name, or piece of one. */
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
