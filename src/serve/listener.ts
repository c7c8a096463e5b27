import { createServer, type RequestListener, type Server, setMaxIdleHTTPParsers } from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { MAX_FIELD_LINES } from '../forward/downstream.ts'
import { errorCode } from '../forward/error-code.ts'
import type { FailureKind } from '../forward/failure.ts'
import { toListener } from '../proxy/app.ts'
import type { Traffic } from '../proxy/client-connection.ts'
import { watchHeads } from '../proxy/internals/head-watch.ts'
import type { ContinuationProxy } from '../proxy/proxy.ts'
import { type ClientLimit, watchAccepted } from './accepted.ts'
import { MOST_ADMIN_CONNECTIONS } from './capacity.ts'
import { drain } from './drain.ts'

export interface ListenerSettings {
  /** A socket that is listening already, instead of host and port. */
  readonly descriptor?: number | undefined
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Whether other processes may listen there too. */
  readonly reusePort?: boolean | undefined
  /** Certificate and key in PEM; if given, the listener uses TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Maximum size of a request head. */
  readonly headLimitBytes: number
  /** A request head must be complete within this time. */
  readonly headTimeoutMs: number
  /** The limit of client connections; by default there is none. */
  readonly clients?: ClientLimit | undefined
}

export interface Listener {
  readonly url: string
  readonly port: number
  /** New connections get this certificate. Has no effect on a listener without TLS. */
  setTls(tls: { readonly cert: string; readonly key: string }): void
  /** Sets the timeout for request heads; that for TLS handshakes does not change. */
  setHeadTimeout(headTimeoutMs: number): void
  /** Stops accepting; resolves when every connection is closed. Idle ones are closed, busy ones end their exchange. */
  drain(idleGraceMs?: number): Promise<void>
  /** The client connections that are open. */
  readonly sockets: ReadonlySet<Socket>
  /** Stops accepting, and cuts every connection. */
  destroy(): void
}

/** In place of Node's code: what was handed over is no TCP socket. */
const NO_TCP = 'NO_TCP'

/** A listener could not be opened; `code` is Node's: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`… */
export class ListenError extends Error {
  readonly code: string

  constructor(code: string) {
    super(`Could not listen: ${code}`)
    this.name = 'ListenError'
    this.code = code
  }
}

/** Opens the public listener in front of the proxy. */
export async function startListener(settings: ListenerSettings, proxy: ContinuationProxy): Promise<Listener> {
  const served = toListener(proxy.listener)
  const heads = new WeakMap<Socket, ReturnType<typeof watchHeads>>()
  const listener: RequestListener = (incoming, outgoing) => {
    if (heads.get(incoming.socket)?.(incoming)) outgoing.shouldKeepAlive = false
    served(incoming, outgoing)
  }
  setMaxIdleHTTPParsers(MOST_IDLE_PARSERS)
  const server = openServer(settings, listener)
  // Node would send 100 Continue at once; the exchange sends it if the request will be forwarded.
  const expecting: RequestListener = (incoming, outgoing) => {
    proxy.awaitContinue.add(outgoing)
    listener(incoming, outgoing)
  }
  server.on('checkContinue', expecting)
  // `admit` checks the expectation: Node's own check accepts too much.
  server.on('checkExpectation', listener)
  // If a CONNECT is pipelined, its answer must wait for the earlier responses. Node has taken its listeners off the
  // socket: an error without a listener ends the process, and a client that leaves would not be noticed.
  server.on('connect', ({ method = '' }, socket: Socket) => {
    socket.on('error', () => {}).on('end', () => socket.end())
    proxy.interrupt(socket, { kind: 'method-not-allowed', method, code: undefined })
  })
  server.on('clientError', (error: Error, socket: Socket) => {
    const code = errorCode(error)
    // After a fault of TLS, Node keeps the socket open and reads on.
    if (code === 'ECONNRESET' || /^ERR_(?:SSL|TLS)_/.test(code) || !socket.writable)
      return void socket.destroy()
    proxy.interrupt(socket, { kind: KIND_BY_CODE.get(code) ?? 'bad-message', method: '', code })
  })
  server.on(settings.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) =>
    heads.set(socket, watchHeads(socket, settings.headLimitBytes)),
  )
  const { descriptor, host, port, reusePort = false } = settings
  return listen(
    server,
    descriptor === undefined ? { host, port, reusePort } : { fd: descriptor },
    settings.tls === undefined ? 'http' : 'https',
    proxy.traffic,
    settings.clients,
  )
}

/**
 * Opens the admin listener: plain http, small heads, short times, few connections with one request each. However many are
 * held open, the next probe is answered, since the oldest is closed for it.
 */
export async function startAdminListener(
  host: string,
  port: number,
  listener: RequestListener,
  onTooMany: () => void,
): Promise<Listener> {
  const settings = { tls: undefined, headLimitBytes: 16_384, headTimeoutMs: 10_000 }
  const busy = new WeakSet<Socket>()
  const onRequest: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming
    busy.add(socket)
    outgoing.once('close', () => busy.delete(socket))
    listener(incoming, outgoing)
  }
  const server = openServer(settings, onRequest)
  // An expectation makes no difference; Node leaves the answer to these, since others listen to the events.
  for (const event of ['checkContinue', 'checkExpectation']) server.on(event, onRequest)
  server.maxRequestsPerSocket = 1
  // For a client that stops reading.
  server.timeout = ADMIN_STALL_MS
  const clients: ClientLimit = {
    most: () => MOST_ADMIN_CONNECTIONS,
    isBusy: (socket) => busy.has(socket),
    closes: 'oldest',
    onTooMany,
  }
  return listen(server, { host, port }, 'http', NO_TRAFFIC, clients)
}

function openServer(
  settings: Pick<ListenerSettings, 'tls' | 'headLimitBytes' | 'headTimeoutMs'>,
  listener: RequestListener,
): Server {
  const options = {
    // Explicit, so that NODE_OPTIONS can't weaken the parser.
    insecureHTTPParser: false,
    // A missing Host is handled with the other faults of Host: Node's own refusal has no body and is not logged.
    requireHostHeader: false,
    maxHeaderSize: settings.headLimitBytes,
    headersTimeout: settings.headTimeoutMs,
    // No limit for a whole request: uploads are limited by the time without progress.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.max(50, Math.min(250, settings.headTimeoutMs / 4)),
    keepAliveTimeout: KEEP_ALIVE_MS,
    noDelay: true,
    // Since version 22 Node buffers four times as much for each slow client.
    highWaterMark: SOCKET_BUFFER_OCTETS,
  }
  const { tls, headTimeoutMs } = settings
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: headTimeoutMs }, listener)
  // Node keeps no further lines of an unfinished head, or of trailers. With one more than it may have, a request is refused.
  server.maxHeadersCount = MAX_FIELD_LINES + 1
  return server
}

function listen(
  server: Server,
  where: Readonly<{ host: string; port: number; reusePort?: boolean } | { fd: number }>,
  scheme: 'http' | 'https',
  traffic: Pick<Traffic, 'inFlight'>,
  clients?: ClientLimit,
): Promise<Listener> {
  const accepted = watchAccepted(server, clients)
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(new ListenError(errorCode(error)))
    server.once('error', onError)
    server.listen(where, () => {
      server.off('error', onError)
      const address = server.address()
      // Of a Unix socket, which a parent process may hand over, there is only a path.
      if (address === null || typeof address === 'string') {
        server.close()
        return reject(new ListenError(NO_TCP))
      }
      const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
      resolve({
        url: `${scheme}://${name}:${address.port}`,
        port: address.port,
        setTls: (tls) => {
          if (server instanceof TlsServer) server.setSecureContext(tls)
        },
        setHeadTimeout: (headTimeoutMs) => {
          server.headersTimeout = headTimeoutMs
        },
        drain: (idleGraceMs) => drain(server, accepted, traffic, idleGraceMs),
        sockets: accepted,
        destroy: () => {
          server.close()
          server.closeAllConnections()
          for (const socket of accepted) socket.destroy()
        },
      })
    })
  })
}

const KIND_BY_CODE: ReadonlyMap<string, FailureKind> = new Map([
  ['HPE_HEADER_OVERFLOW', 'head-too-large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'body-too-large'],
  ['HPE_INVALID_VERSION', 'bad-version'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request-timeout'],
])

/** Node keeps up to 1,000 parsers of closed connections, each with fields of heads that it read. */
const MOST_IDLE_PARSERS = 16
/** The idle timeout: longer than that of common load balancers, so that they, not we, close a connection that they reuse. */
const KEEP_ALIVE_MS = 75_000
const ADMIN_STALL_MS = 5_000
/** The admin listener has no exchanges to wait for. */
const NO_TRAFFIC = { inFlight: 0 }
const SOCKET_BUFFER_OCTETS = 16_384
