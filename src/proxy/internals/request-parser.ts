import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/**
 * Watches Node's parser of one client connection, which reads the socket itself and tells nobody what it holds of a request
 * that is not complete. Its own limit on heads counts only the octets of names and values, so it lets 30,000 lines `ab:`
 * into the heap.
 *
 * The parser calls `parser[1]` with every 32 lines that a head has beyond the first 31, and the same for trailers; and
 * `parser[5]` after every read. Both are replaced here. Once there are too many lines, it has nobody to call for the rest
 * of the read, so it makes no more strings and begins no request; after the read it gets no more octets.
 */
export abstract class ParserWatch {
  readonly socket: Socket
  #afterRead: AfterRead = () => {}
  #lines = 0
  /** Whether a request began or ended within the current read. */
  #hasMoved = false
  #muted: unknown[] | undefined
  #isOver = false

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** How many lines a head or a trailer section may have. */
  abstract readonly mostLines: number
  /** Octets were read that neither begin nor end a request: they belong to a head, or else to a body or trailers. */
  abstract onMore(part: 'head' | 'content', octets: number): void
  /** A request began or ended in this read. */
  abstract onMoved(): void
  /** There are too many lines; call `stop`. */
  abstract onTooManyLines(): void

  /** Begins to watch, once an HTTP server uses the socket. */
  start(): void {
    const parser = parserOf(this.socket)
    if (parser === undefined) return
    this.#afterRead = parser[AFTER_READ] as AfterRead
    parser[WATCH] = this
    parser[ON_LINES] = onLines
    parser[AFTER_READ] = afterRead
  }

  /** Parses no further on this connection: what arrives from now on is discarded. */
  stop(): void {
    this.#isOver = true
    // A listener of data makes Node take the socket from its parser.
    this.socket.on('data', () => {})
    this.socket.removeAllListeners('data')
    const parser = parserOf(this.socket)
    if (parser !== undefined) parser._headers = []
  }

  /** @returns whether Node may have them */
  takeLines(parser: Parser, count: number): boolean {
    this.#look(parser)
    this.#lines += count
    if (this.#lines <= this.mostLines) return true
    this.#muted = CALLBACKS.map((at) => parser[at])
    for (const at of CALLBACKS) parser[at] = undefined
    return false
  }

  takeRead(parser: Parser, parsed: number | Error): void {
    if (this.#isOver) return
    if (this.#muted !== undefined) {
      for (const [i, callback] of this.#muted.entries()) parser[ON_LINES + i] = callback
      return this.onTooManyLines()
    }
    this.#look(parser)
    const { incoming } = parser
    if (this.#hasMoved) this.onMoved()
    else if (typeof parsed === 'number')
      this.onMore(incoming === null || incoming.complete ? 'head' : 'content', parsed)
    this.#hasMoved = false
    if (!this.#isOver) this.#afterRead(parsed)
  }

  /** The stage of a request is marked on it, since keeping the request here would keep all that it refers to. */
  #look({ incoming }: Parser): void {
    if (incoming === null) return
    const stage = incoming.complete ? 'complete' : 'begun'
    if (Reflect.get(incoming, STAGE) === stage) return
    Reflect.set(incoming, STAGE, stage)
    this.#lines = 0
    this.#hasMoved = true
  }
}

/** Gets the number of octets, or why they can't be parsed. */
type AfterRead = (parsed: number | Error) => void

/** Node's parser. It is used again for other connections, maybe those of another server. */
interface Parser {
  [callback: number]: unknown
  readonly incoming: IncomingMessage | null
  readonly socket: Socket | null
  /** Lines of the head or the trailers so far. */
  _headers: string[]
  [WATCH]?: ParserWatch
}

function watchOf(parser: Parser): ParserWatch | undefined {
  const watch = parser[WATCH]
  return watch?.socket === parser.socket ? watch : undefined
}

function onLines(this: Parser, lines: string[], target: string): void {
  if (watchOf(this)?.takeLines(this, lines.length / 2) !== false)
    Reflect.apply(NODES_ON_LINES, this, [lines, target])
}

function afterRead(this: Parser, parsed: number | Error): void {
  watchOf(this)?.takeRead(this, parsed)
}

function parserOf(socket: Socket): Parser | undefined {
  return Reflect.get(socket, 'parser') ?? undefined
}

/**
 * Node's own function, from the parser of a connection that leads nowhere.
 *
 * @throws Error if this release of Node has another parser
 */
function findOnLines(): (lines: string[], target: string) => void {
  const socket = new Duplex() as Socket
  createServer().emit('connection', socket)
  const parser = parserOf(socket)
  const found = parser?.[ON_LINES]
  const isKnown = Array.isArray(parser?._headers) && typeof parser[AFTER_READ] === 'function'
  socket.destroy()
  if (isKnown && typeof found === 'function' && found.name === 'parserOnHeaders')
    return found as (lines: string[], target: string) => void
  throw new Error(
    `Node ${process.version} does not parse requests the way this version of continuation-point expects. ` +
      'Use a release of Node that the documentation names, or a newer continuation-point.',
  )
}

const WATCH = Symbol('watch')
const STAGE = Symbol('stage')
const [ON_LINES, AFTER_READ] = [1, 5] as const
/** The first of them is `ON_LINES`; then for a whole head, a piece of a body, and the end of a request. */
const CALLBACKS = [ON_LINES, 2, 3, 4] as const
const NODES_ON_LINES = findOnLines()
