import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { toAnswer } from '../forward/answer.ts'
import { MAX_FIELD_LINES } from '../forward/downstream.ts'
import { errorCode } from '../forward/error-code.ts'
import type { FailureKind } from '../forward/failure.ts'
import { toListener } from '../proxy/app-listener.ts'
import { acceptedUnder } from '../proxy/internals/accepted-socket.ts'
import { stopAccepting } from '../proxy/internals/stop-accepting.ts'
import { LinkedList, Listed } from '../proxy/linked-list.ts'
import type { ContinuationProxy } from '../proxy/proxy.ts'
import { SocketNote } from '../proxy/socket-note.ts'
import type { Traffic } from '../proxy/traffic.ts'
import { MOST_ADMIN_CONNECTIONS } from './client-limit.ts'
import { RequestBounds, type RequestLimit } from './request-bounds.ts'

export interface ListenerSettings {
  /** A socket that is listening already, instead of host and port. */
  readonly descriptor?: number | undefined
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Certificate and key in PEM; if given, the listener uses TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Maximum size of a request head. */
  readonly headLimitBytes: number
  /** The most that heads and trailers take together that are not complete; beyond it the oldest ones are refused. */
  readonly unfinishedHeadsLimitBytes: number
  /** A request head must be complete within this time. */
  readonly headTimeoutMs: number
  /** By default there is no limit. */
  readonly clients?: ClientLimit | undefined
}

/** How many client connections may be open. */
export interface ClientLimit {
  /** Called for each new connection. */
  most(): number
  /**
   * Whether a connection has a request. If there are too many connections, the one without a request that was used last
   * the longest ago gives way to a new one.
   */
  isBusy(socket: Socket): boolean
  /** Which is closed if all have a request. */
  readonly closes: 'newest' | 'oldest'
  /** Called when connections are closed for this reason, at most once a minute. */
  onTooMany(): void
}

/** An open listener. */
export interface Listener {
  readonly url: string
  readonly port: number
  /** New connections get this certificate. Has no effect on a listener without TLS. */
  setTls(tls: { readonly cert: string; readonly key: string }): void
  /** Sets the timeout for request heads; that for TLS handshakes does not change. */
  setHeadTimeout(headTimeoutMs: number): void
  /** Stops accepting; resolves when every connection is closed. Idle ones are closed, busy ones end their exchange. */
  drain(idleGraceMs?: number): Promise<void>
  /** Cuts every connection. */
  destroy(): void
}

/** A listener could not be opened; `code` is Node's: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`… */
export class ListenError extends Error {
  readonly code: string

  constructor(code: string) {
    super(`Could not listen: ${code}`)
    this.name = 'ListenError'
    this.code = code
  }
}

/** Opens the public listener in front of the proxy; if `next` is given, it gets the requests that no point owns. */
export async function startListener(
  settings: ListenerSettings,
  proxy: ContinuationProxy,
  next?: RequestListener,
): Promise<Listener> {
  const listener: RequestListener =
    next === undefined
      ? toListener(proxy.listener)
      : (incoming, outgoing) => proxy.listener(incoming, outgoing, () => next(incoming, outgoing))
  const server = openServer(settings, listener)
  // Node would send 100 Continue at once; the exchange sends it if the request will be forwarded.
  const expecting: RequestListener = (incoming, outgoing) => {
    proxy.traffic.awaitContinue.add(outgoing)
    listener(incoming, outgoing)
  }
  server.on('checkContinue', expecting)
  // `admit` checks the expectation: Node's own check accepts too much.
  server.on('checkExpectation', listener)
  // If a CONNECT is pipelined, its answer must wait for the earlier responses. Node has taken its listeners off the
  // socket, and an error without a listener ends the process.
  server.on('connect', ({ method = '' }, socket: Socket) => {
    socket.on('error', () => {})
    proxy.interrupt(socket, 'method-not-allowed', undefined, () =>
      refuse(socket, 'method-not-allowed', method),
    )
  })
  server.on('clientError', (error: Error, socket: Socket) => {
    const code = errorCode(error)
    if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    cut(socket, KIND_BY_CODE[code] ?? 'bad-message', code)
  })
  const bounds = new RequestBounds(
    {
      // A head with some more may complete, and then gets the answer of the proxy, which knows who asks.
      lines: 2 * MAX_FIELD_LINES,
      octets: settings.headLimitBytes,
      allBytes: settings.unfinishedHeadsLimitBytes,
    },
    (socket, limit) => cut(socket, KIND_BY_LIMIT[limit], undefined),
  )
  server.on(settings.tls === undefined ? 'connection' : 'secureConnection', (socket) => bounds.watch(socket))
  const { descriptor, host, port } = settings
  return listen(
    server,
    descriptor === undefined ? { host, port } : { fd: descriptor },
    settings.tls === undefined ? 'http' : 'https',
    proxy.traffic,
    settings.clients,
  )

  /** Node parses no further on this connection. */
  function cut(socket: Socket, kind: FailureKind, code: string | undefined): void {
    proxy.interrupt(socket, kind, code, () => refuse(socket, kind, '', code))
  }

  /** Answers on the bare socket, since no request was parsed; the received octets are not examined. */
  function refuse(socket: Socket, kind: FailureKind, method: string, code?: string): void {
    if (socket.bytesRead === 0) return void socket.destroy()
    const id = proxy.recordRefusal(socket, kind, method, code)
    const { status, fields, body } = toAnswer(kind, id, { method, accept: [], pointRoot: undefined })
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close']
    for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}`)
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
    lingerOn(socket)
  }
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
  const server = openServer(settings, (incoming, outgoing) => {
    const { socket } = incoming
    busy.add(socket)
    outgoing.once('close', () => busy.delete(socket))
    listener(incoming, outgoing)
  })
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
  const server =
    settings.tls === undefined
      ? createServer(options, listener)
      : createTlsServer(
          { ...options, ...settings.tls, minVersion: OLDEST_TLS, handshakeTimeout: settings.headTimeoutMs },
          listener,
        )
  server.maxHeadersCount = 0
  return server
}

function listen(
  server: Server,
  where: { readonly host: string; readonly port: number } | { readonly fd: number },
  scheme: 'http' | 'https',
  traffic: Pick<Traffic, 'inFlight'>,
  clients?: ClientLimit,
): Promise<Listener> {
  const accepted = new LinkedList<Accepted>()
  const itemOf = new SocketNote<Accepted>()
  let quietUntilMs = 0
  server.on('connection', (socket: Socket) => {
    // Not `maxConnections`: a worker would give the connection back, and the primary offer it to the next one, for ever.
    if (clients !== undefined && accepted.size >= clients.most()) {
      if (performance.now() >= quietUntilMs) {
        quietUntilMs = performance.now() + QUIET_MS
        clients.onTooMany()
      }
      const old = findIdle(accepted, clients) ?? (clients.closes === 'oldest' ? accepted.first : undefined)
      if (old === undefined) return void socket.destroy()
      accepted.delete(old)
      old.socket.destroy()
    }
    const item = new Accepted(socket)
    accepted.add(item)
    itemOf.set(socket, item)
    socket.once('close', () => accepted.delete(item))
  })
  // Node tracks a connection only once TLS is established, and then as another socket than the accepted one.
  server.on('secureConnection', (socket: Socket) => {
    const item = itemOf.of(acceptedUnder(socket))
    if (item === undefined) return
    item.socket = socket
    itemOf.set(socket, item)
  })
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.on(event, ({ socket }) => {
      const item = itemOf.of(socket)
      if (item !== undefined) toEnd(accepted, item)
    })
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(new ListenError(errorCode(error)))
    server.once('error', onError)
    server.listen(where, () => {
      server.off('error', onError)
      const address = server.address() as AddressInfo
      const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
      resolve({
        url: `${scheme}://${name}:${address.port}`,
        port: address.port,
        setTls: (tls) => {
          if (server instanceof TlsServer) server.setSecureContext({ ...tls, minVersion: OLDEST_TLS })
        },
        setHeadTimeout: (headTimeoutMs) => {
          server.headersTimeout = headTimeoutMs
        },
        drain: (idleGraceMs = IDLE_GRACE_MS) => drain(server, accepted, traffic, idleGraceMs),
        destroy: () => {
          server.closeAllConnections()
          for (const { socket } of accepted.toArray()) socket.destroy()
        },
      })
    })
  })
}

/** Of those without a request, the one that has had none for the longest time. */
function findIdle(accepted: LinkedList<Accepted>, { isBusy }: ClientLimit): Accepted | undefined {
  for (let looks = accepted.size; looks > 0 && accepted.first !== undefined; looks -= 1) {
    const { first } = accepted
    if (!isBusy(first.socket)) return first
    toEnd(accepted, first)
  }
  return undefined
}

function toEnd(accepted: LinkedList<Accepted>, item: Accepted): void {
  if (accepted.delete(item)) accepted.add(item)
}

/** A connection in the list of those that are open. */
class Accepted extends Listed<Accepted> {
  /** The accepted one, until TLS is established on it. */
  socket: Socket

  constructor(socket: Socket) {
    super()
    this.socket = socket
  }
}

/**
 * Stops accepting and waits for the connections. Node's own `close` also stops enforcing the timeout for request heads
 * and cuts idle connections at once, which races with a request that is on its way. So only accepting ends, and idle
 * connections get some time in which a last request is answered with `Connection: close`. Node also considers a
 * connection idle whose response is complete but not sent yet, so none is closed while exchanges are in flight; and it
 * considers one busy that never sent anything, so these are closed separately.
 */
async function drain(
  server: Server,
  accepted: LinkedList<Accepted>,
  traffic: Pick<Traffic, 'inFlight'>,
  idleGraceMs: number,
): Promise<void> {
  await acceptWaiting(server)
  const sweepFromMs = performance.now() + idleGraceMs
  return new Promise((resolve) => {
    stopAccepting(server, () => {
      clearInterval(sweep)
      server.close()
      resolve()
    })
    const sweep = setInterval(() => {
      if (performance.now() < sweepFromMs) return
      for (const { socket } of accepted.toArray()) if (socket.bytesRead === 0) socket.destroy()
      if (traffic.inFlight === 0) server.closeIdleConnections()
    }, SWEEP_EVERY_MS)
  })
}

/**
 * Drains the accept backlog: the kernel would reset connections that it has established and we have not accepted. Node
 * accepts one in each turn of the event loop, and the length of the backlog is unknown.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let count = 0
  const onConnection = () => {
    count += 1
  }
  server.on('connection', onConnection)
  for (let round = 0, before = -1; count !== before && round < MOST_ACCEPT_ROUNDS; round += 1) {
    before = count
    await new Promise((resolve) => setTimeout(resolve, ACCEPT_ROUND_MS))
  }
  server.off('connection', onConnection)
}

/** Reads and discards for a second after the last response, then closes: a reset could overtake the response. */
function lingerOn(socket: Socket): void {
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(deadline))
  socket.on('error', () => {})
  socket.resume()
}

const KIND_BY_CODE: Readonly<Record<string, FailureKind>> = {
  HPE_HEADER_OVERFLOW: 'head-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large',
  HPE_INVALID_VERSION: 'bad-version',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
}

const KIND_BY_LIMIT: Readonly<Record<RequestLimit, FailureKind>> = {
  lines: 'too-many-fields',
  octets: 'head-too-large',
  allBytes: 'memory-short',
}

/** Longer than the idle timeout of common load balancers, so that they, not we, close a connection that they reuse. */
const KEEP_ALIVE_MS = 75_000
const ACCEPT_ROUND_MS = 10
const MOST_ACCEPT_ROUNDS = 50
const IDLE_GRACE_MS = 500
const SWEEP_EVERY_MS = 250
const QUIET_MS = 60_000
const ADMIN_STALL_MS = 5_000
/** The admin listener has no exchanges to wait for. */
const NO_TRAFFIC = { inFlight: 0 }
const OLDEST_TLS = 'TLSv1.2'
const LINGER_MS = 1_000
const SOCKET_BUFFER_OCTETS = 16_384
