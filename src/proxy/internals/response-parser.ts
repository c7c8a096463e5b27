import type { Socket } from 'node:net'
import { GrowingBuffer } from '../growing-buffer.ts'

/** Hears of what undici's parser finds. */
export interface ResponseWatch {
  /** A head or a trailer section has too many lines; @returns why the socket is destroyed. */
  onTooManyLines(): Error
  /** A small piece of a body that has many. */
  onSmallPiece(): void
}

/**
 * Watches undici's parser of one connection.
 *
 * - It counts only the octets of names and values, so a service could fill the heap with tiny lines: these are bounded
 *   while they arrive, of heads and of trailers.
 * - It passes on each chunk by itself. Small ones are joined until all of the read was parsed, which takes a fifth of the
 *   time.
 *
 * @param socket one that undici has begun to use
 */
export function watchResponses(socket: Socket, mostLines: number, watch: ResponseWatch): void {
  const parser = parserOf(socket)
  if (parser === undefined) return
  const { onHeaderField, onBody, onMessageComplete } = parser
  const joined = new GrowingBuffer()
  let smallPieces = 0
  const pass = () => {
    if (joined.length > 0) onBody.call(parser, joined.take())
  }
  parser.onHeaderField = (name) => {
    if (parser.headers.length < 2 * mostLines) return onHeaderField.call(parser, name)
    socket.destroy(watch.onTooManyLines())
    return STOP
  }
  parser.onBody = (piece) => {
    const isSmall = piece.length < SMALL_OCTETS
    if (isSmall) smallPieces += 1
    if (isSmall && smallPieces > FEW_PIECES) watch.onSmallPiece()
    else if (joined.length === 0) return onBody.call(parser, piece)
    if (joined.length === 0) queueMicrotask(pass)
    joined.append(piece)
    return 0
  }
  parser.onMessageComplete = () => {
    smallPieces = 0
    pass()
    return onMessageComplete.call(parser)
  }
}

/** undici's parser of responses, of which each connection has one. */
interface Parser {
  /** Names and values in turn. */
  readonly headers: readonly Buffer[]
  /** Called for each name, or piece of a name. */
  onHeaderField(name: Buffer): number
  /** Called for each piece of a body, if the socket was not destroyed. */
  onBody(piece: Buffer): number
  onMessageComplete(): number
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
const SMALL_OCTETS = 256
/** So many of a message count for nothing. */
const FEW_PIECES = 4
