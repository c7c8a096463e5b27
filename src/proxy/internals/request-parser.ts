import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { BodyPieces } from './body-pieces.ts'

/**
 * Watches Node's parser of one client connection, which reads the socket itself and tells nobody what it holds of a request
 * that is not complete. Its own limit on heads counts only the octets of names and values, so it lets 30,000 lines `ab:`
 * into the heap.
 *
 * The parser calls its properties 0 to 5: when a request begins, with every 31 lines that a head or trailer section has
 * (the last ones come with the head), with a whole head, with each piece of a body, when a request ends, and after every
 * read. Some are replaced here. Once there are too many lines, or the socket was destroyed, it has nobody to call for the
 * rest of the read, so it makes no more strings and begins no request; after the read it gets no more octets.
 */
export abstract class ParserWatch {
  readonly socket: Socket
  /** Lines of the current head or trailer section, as far as the parser has passed them on. */
  lines = 0
  #afterRead: AfterRead = () => {}
  #part: 'none' | 'head' | 'content' = 'none'
  /** Octets of bodies in the current read. */
  #bodyOctets = 0
  /** Small pieces of the current request, of its body or as reads of their own, and those that count in the current read. */
  #smallPieces = 0
  #newSmallPieces = 0
  /** Whether a head or a request ended, or a body went on, in the current read. */
  #isShared = false
  #muted: unknown[] | undefined
  #excess: 'lines' | 'pieces' = 'lines'
  #isOver = false

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** How many lines a head or a trailer section may have. */
  abstract readonly mostLines: number
  /**
   * After a read a head is incomplete, or the content of a request, which may be its trailers; or there were only empty
   * lines. So many octets of the read belong to it, `at-most` if it also held something else.
   */
  abstract onHeld(part: 'none' | 'head' | 'content', octets: number, count: 'exact' | 'at-most'): void
  /** After a read nothing is incomplete. */
  abstract onComplete(): void
  /** There are too many lines, or pieces that may not be taken; call `stop`. */
  abstract onTooMany(what: 'lines' | 'pieces'): void
  /** Whether small pieces of a request that has many may be taken now. */
  abstract mayTakePieces(): boolean
  /** A read held so many of them. */
  abstract onPieces(count: number): void

  /** Begins to watch, once an HTTP server uses the socket. */
  start(): void {
    const parser = parserOf(this.socket)
    if (parser === undefined) return
    this.#afterRead = parser[AFTER_READ] as AfterRead
    parser[WATCH] = this
    parser[ON_BEGIN] = onBegin
    parser[ON_LINES] = onLines
    parser[ON_BODY] = onBody
    parser[ON_END] = onEnd
    parser[AFTER_READ] = afterRead
    parser.pause = pause
    // Node keeps the parser for another connection.
    this.socket.once('close', () => {
      if (parser[WATCH] === this) parser[WATCH] = undefined
    })
  }

  /** Parses no further on this connection: what arrives from now on is discarded, and takes its share as small pieces. */
  stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    const { socket } = this
    // A listener of data makes Node take the socket from its parser.
    socket.on('data', () => {})
    socket.removeAllListeners('data')
    // While reading is held, a socket would keep TLS records: of one octet, 2,800 from each connection.
    const { push } = socket
    socket.push = (octets: Buffer | null) => {
      if (octets === null) return push.call(socket, null)
      if (octets.length >= SMALL_OCTETS || socket.destroyed) return true
      if (this.mayTakePieces()) this.onPieces(READ_PIECES)
      else socket.destroy()
      return true
    }
    const parser = parserOf(socket)
    if (parser !== undefined) parser._headers = []
  }

  begin(parser: Parser): void {
    // A read of 64 KiB may hold 3,600 requests.
    if (this.socket.destroyed) return this.#mute(parser)
    this.#look(parser)
    this.#part = 'head'
    this.lines = 0
    this.#smallPieces = 0
  }

  /** @returns whether Node may have them */
  takeLines(parser: Parser, count: number): boolean {
    this.#look(parser)
    this.lines += count
    if (this.lines <= this.mostLines) return true
    this.#excess = 'lines'
    this.#mute(parser)
    // With the last lines of a head the parser has already looked up what it calls with the whole head.
    parser.onIncoming = ignore
    return false
  }

  takeBody(parser: Parser, piece: Buffer): void {
    this.#bodyOctets += piece.length
    this.#isShared = true
    if (piece.length < SMALL_OCTETS && !this.#mayCount(parser, 1)) return
    pieces.take(parser, piece)
  }

  takeRead(parser: Parser, parsed: number | Error): void {
    pieces.endRead(typeof parsed === 'number' ? 'parsed' : 'failed')
    if (this.#isOver) return
    // With TLS, each record is a read.
    if (typeof parsed === 'number' && parsed < SMALL_OCTETS) this.#mayCount(parser, READ_PIECES)
    if (this.#muted !== undefined) {
      for (const [i, at] of CALLBACKS.entries()) parser[at] = this.#muted[i]
      this.#muted = undefined
      return this.socket.destroyed ? undefined : this.onTooMany(this.#excess)
    }
    if (this.#newSmallPieces > 0) this.onPieces(this.#newSmallPieces)
    this.#newSmallPieces = 0
    this.#look(parser)
    if (this.#part === 'none' && this.#isShared) this.onComplete()
    else if (typeof parsed === 'number')
      this.onHeld(this.#part, parsed - this.#bodyOctets, this.#isShared ? 'at-most' : 'exact')
    this.#bodyOctets = 0
    this.#isShared = false
    if (!this.#isOver) this.#afterRead(parsed)
  }

  /** Counts small pieces; if they may not be taken, the rest of the read is discarded. */
  #mayCount(parser: Parser, pieces: number): boolean {
    this.#smallPieces += pieces
    if (this.#smallPieces <= FEW_PIECES) return true
    if (this.#newSmallPieces === 0 && !this.mayTakePieces()) {
      this.#excess = 'pieces'
      this.#mute(parser)
      return false
    }
    this.#newSmallPieces += pieces
    return true
  }

  #mute(parser: Parser): void {
    this.#muted ??= CALLBACKS.map((at) => parser[at])
    for (const at of CALLBACKS) parser[at] = undefined
  }

  /**
   * Whether the head or the whole of a request has been parsed since the last look. The stage is marked on the request,
   * since keeping the request here would keep all that it refers to.
   */
  #look({ incoming }: Parser): void {
    if (incoming === null) return
    const stage = incoming.complete ? 'none' : 'content'
    if (incoming[STAGE] === stage) return
    incoming[STAGE] = stage
    this.#part = stage
    this.lines = 0
    this.#isShared = true
  }
}

type OnLines = (this: Parser, lines: string[], target: string) => void
type OnBody = (this: Parser, octets: Buffer) => void
type OnEnd = (this: Parser) => void
/** Gets the number of octets, or why they can't be parsed. */
type AfterRead = (parsed: number | Error) => void

/** Node's parser. It is used again for other connections, maybe those of another server. */
interface Parser {
  [callback: number]: unknown
  readonly incoming: (IncomingMessage & { [STAGE]?: 'none' | 'content' }) | null
  readonly socket: Socket | null
  /** Lines of the head or the trailers so far. */
  _headers: string[]
  /** Called with each request. */
  onIncoming: unknown
  pause(): void
  [WATCH]?: ParserWatch | undefined
}

function watchOf(parser: Parser): ParserWatch | undefined {
  const watch = parser[WATCH]
  return watch?.socket === parser.socket ? watch : undefined
}

function onBegin(this: Parser): void {
  watchOf(this)?.begin(this)
}

function onLines(this: Parser, lines: string[], target: string): void {
  if (watchOf(this)?.takeLines(this, lines.length / 2) !== false) NODES.onLines.call(this, lines, target)
}

function onBody(this: Parser, octets: Buffer): void {
  const watch = watchOf(this)
  if (watch === undefined) NODES.onBody.call(this, octets)
  else watch.takeBody(this, octets)
}

function onEnd(this: Parser): void {
  pieces.endBody(this)
  NODES.onEnd.call(this)
}

function afterRead(this: Parser, parsed: number | Error): void {
  watchOf(this)?.takeRead(this, parsed)
}

/** With TLS, records still come after Node has paused a socket, and a paused parser would take them for an error. */
function pause(this: Parser): void {
  if (watchOf(this) === undefined) NODES.pause.call(this)
}

function ignore(): number {
  return 0
}

function parserOf(socket: Socket): Parser | undefined {
  return Reflect.get(socket, 'parser') ?? undefined
}

/**
 * Node's own functions, from the parser of a connection that leads nowhere.
 *
 * @throws Error if this release of Node has another parser
 */
function findCallbacks(): {
  readonly onLines: OnLines
  readonly onBody: OnBody
  readonly onEnd: OnEnd
  readonly pause: Parser['pause']
} {
  const socket = new Duplex() as Socket
  createServer().emit('connection', socket)
  const parser = parserOf(socket)
  const onLines = parser?.[ON_LINES] as OnLines | undefined
  const onBody = parser?.[ON_BODY] as OnBody | undefined
  const onEnd = parser?.[ON_END] as OnEnd | undefined
  const pause = parser?.pause
  const isKnown = Array.isArray(parser?._headers) && typeof parser[AFTER_READ] === 'function'
  socket.destroy()
  const names = [onLines?.name, onBody?.name, onEnd?.name].join(' ')
  if (
    isKnown &&
    onLines &&
    onBody &&
    onEnd &&
    pause &&
    names === 'parserOnHeaders parserOnBody parserOnMessageComplete'
  )
    return { onLines, onBody, onEnd, pause }
  throw new Error(
    `Node ${process.version} does not parse requests the way this version of continuation-point expects. ` +
      'Use a release of Node that the documentation names, or a newer continuation-point.',
  )
}

const WATCH = Symbol('watch')
const STAGE = Symbol('stage')
const [ON_BEGIN, ON_LINES, ON_HEAD, ON_BODY, ON_END, AFTER_READ] = [0, 1, 2, 3, 4, 5] as const
const CALLBACKS = [ON_LINES, ON_HEAD, ON_BODY, ON_END] as const
const SMALL_OCTETS = 256
/** A request may have so many small pieces before they count. */
const FEW_PIECES = 64
/** A small read takes the time of so many pieces. */
const READ_PIECES = 4
const NODES = findCallbacks()
const pieces = new BodyPieces(NODES.onBody)
