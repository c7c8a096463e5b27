import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { admit } from '../forward/admission.ts'
import { type Answer, toAnswer } from '../forward/answer.ts'
import { FAILURES } from '../forward/failure.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { Addresses } from './addresses.ts'
import type { Begin } from './app.ts'
import { ClientConnection, type Interruption, lingerOn, type Traffic } from './client-connection.ts'
import { type Connection, compileConnect } from './connection.ts'
import { Exchange } from './exchange.ts'
import { type ExchangeRecord, recordUnbegun } from './exchange-record.ts'
import { isOver } from './internals/reserved-response.ts'
import { stopParsing } from './internals/stop-parsing.ts'
import { loadClient } from './internals/undici-client.ts'
import { Leases } from './leases.ts'
import { compileSettings } from './settings.ts'
import { isBodyTaken } from './upload.ts'

/** The proxy of one process: its entry points, its state and its control. */
export type ContinuationProxy = ReturnType<typeof openProxy>

/**
 * Opens a proxy for a config. `record` is called once for each request, when it ends; `onPiece` with the size of each
 * piece of a body, in either direction.
 */
export function openProxy(
  resolved: ResolvedConfig,
  record: (record: ExchangeRecord) => void,
  onPiece: (octets: number) => void = () => {},
) {
  // Before, it would delay the start; at the first connection there may be no file descriptor left, or another version on disk.
  setImmediate(loadClient)
  let settings = compileSettings(resolved)
  // A reload can't change it, since it can't change the listener's.
  const headLimitBytes = resolved.config.limits.headerBytes
  const traffic: Traffic = { inFlight: 0, state: 'open' }
  const awaitContinue = new WeakSet<ServerResponse>()
  let addresses = new Addresses()
  const connect = () => compileConnect(settings.upstream, addresses, () => leases)
  const leases: Leases<Connection> = new Leases(connect(), settings.leases)
  const clientConnections = new WeakMap<Socket, ClientConnection>()

  const begin: Begin = (incoming, outgoing, next) => {
    if ('stream' in outgoing) return refuseSecondVersion(incoming, outgoing, next)
    const { socket } = incoming
    // Mounted twice, it forwards once.
    if (clientConnections.get(socket)?.holds(outgoing) === true) return
    const peer = settings.peerOf(socket)
    const admission = admit(incoming, peer, 'encrypted' in socket ? 'https' : undefined, {
      points: settings.points,
      headLimitBytes,
      bodyLimitBytes: settings.bodyLimitBytes,
      bodyState: isBodyTaken(incoming) ? 'taken' : 'untouched',
    })
    if (next !== undefined && admission.point === undefined) return next()
    if (isTooLate(outgoing, socket)) return
    const connection = connectionOf(socket)
    if (!connection.admits(outgoing)) return
    const { pool } = leases
    const context = { settings, connection, peer, leases, pool, awaitContinue, record, onPiece }
    const exchange = new Exchange(context, admission, incoming, outgoing)
    connection.enter(exchange)
    exchange.begin()
  }

  const connectionOf = (socket: Socket): ClientConnection => {
    const known = clientConnections.get(socket)
    if (known !== undefined) return known
    const connection = new ClientConnection(socket, traffic, (interruption) => refuse(socket, interruption))
    clientConnections.set(socket, connection)
    return connection
  }

  /** @returns the new id of what ended before it could become an exchange */
  const recordEnd = (socket: Socket, { kind, method, code }: Interruption, status?: number): string => {
    const id = randomUUID()
    const peerAddress = settings.peerOf(socket).address
    record(recordUnbegun({ id: () => id, method, peerAddress, status, outcome: kind, code }))
    return id
  }

  const refuse = (socket: Socket, interruption: Interruption): void => {
    // The client closed in the middle of a head, which is like closing before it.
    if (socket.bytesRead === 0 || interruption.code === 'HPE_INVALID_EOF_STATE') return void socket.destroy()
    const { kind, method } = interruption
    const id = recordEnd(socket, interruption, FAILURES[kind].status)
    answerBare(socket, toAnswer(kind, id, { method, accept: [], pointRoot: undefined }))
  }

  /** Node's HTTP/2 server passes objects of other classes, with a stream, which an exchange can't use. */
  const refuseSecondVersion: Begin = ({ socket, method = '' }, outgoing, next) => {
    if (next !== undefined) return next()
    const { status } = FAILURES['bad-version']
    recordEnd(socket, { kind: 'bad-version', method, code: undefined }, status)
    outgoing.writeHead(status).end()
  }

  return {
    traffic,
    /** Exchanges in flight that are permitted. */
    concurrencyLimit: () => settings.concurrencyLimit,
    /** Responses whose client waits for 100 Continue. Without a listener for `checkContinue` Node sends it by itself. */
    awaitContinue,
    /** The requests that wait for a connection to the service. */
    queue: () => {
      const nowMs = performance.now()
      const { waiting, waitingSinceMs = nowMs } = leases
      return { waiting, oldestWaitMs: nowMs - waitingSinceMs }
    },
    /** Connect's `(incoming, outgoing, next)`, for node:http and frameworks built on it. */
    listener: fromReceivedTarget(begin),
    /**
     * Node parses no further on a connection. The exchange whose request is incomplete fails; those with a complete request
     * end first. If no exchange can answer, the bare socket gets a refusal.
     */
    interrupt: (socket: Socket, interruption: Interruption) => {
      stopParsing(socket)
      const connection = clientConnections.get(socket)
      if (connection === undefined) refuse(socket, interruption)
      else connection.interrupt(interruption)
    },
    hasLease: (socket: Socket) => clientConnections.get(socket)?.hasLease === true,
    /** New exchanges use the new config; those in flight end with the old one. */
    replace: (next: ResolvedConfig) => {
      const { origin } = settings.upstream
      settings = compileSettings(next)
      // Which addresses failed is known of one service.
      if (settings.upstream.origin !== origin) addresses = new Addresses()
      leases.replace(connect(), settings.leases)
    },
    /** Lets exchanges end, then closes the connections to the service. */
    close: () => leases.close(),
    /** Ends the exchanges that wait for a connection, and closes the connections to the service now. */
    destroy: () => leases.destroy(),
    /** Ends the exchange of a client connection: the process stops. */
    stop: (socket: Socket) => clientConnections.get(socket)?.stop(),
  }
}

/**
 * Express and Connect remove the mount path from `url` and let middleware rewrite it; the received request-target is in
 * `originalUrl`. Matching must use the received octets, so `url` is set to them while the exchange begins.
 */
function fromReceivedTarget(begin: Begin): Begin {
  return (incoming: IncomingMessage & { originalUrl?: unknown }, outgoing, next) => {
    const { url, originalUrl } = incoming
    if (typeof originalUrl !== 'string' || originalUrl === url) return begin(incoming, outgoing, next)
    incoming.url = originalUrl
    const restored = () => {
      if (url !== undefined) incoming.url = url
      next?.()
    }
    begin(incoming, outgoing, next === undefined ? undefined : restored)
  }
}

/**
 * Whether the client is gone or has a complete response already. Behind asynchronous middleware the events that say so
 * may have fired before the request gets here.
 */
function isTooLate(outgoing: ServerResponse, socket: Socket): boolean {
  return isOver(outgoing) || socket.destroyed || socket.errored !== null
}

/** Answers on the bare socket, since no request was parsed; what else arrives is discarded. */
function answerBare(socket: Socket, { status, fields, body }: Answer): void {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close']
  for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  lingerOn(socket)
}
