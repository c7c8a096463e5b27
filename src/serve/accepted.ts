import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { acceptedUnder } from '../proxy/internals/accepting.ts'

/** How many client connections may be open. */
export interface ClientLimit {
  /** The limit; called for each new connection. */
  most(): number
  /**
   * Whether a connection stays open for its request. If there are too many connections, the one idle for longest is closed.
   */
  isBusy(socket: Socket): boolean
  /** Which is closed if all have a request. */
  readonly closes: 'newest' | 'oldest'
  /** Called when connections are closed for this reason, at most once a minute. */
  onTooMany(): void
}

/**
 * The connections that the server has accepted, the longest unused one first, and no more of them than the limit. Node's
 * own `maxConnections` would close the new one, so that idle connections shut out every other visitor.
 */
export function watchAccepted(server: Server, clients?: ClientLimit): ReadonlySet<Socket> {
  const accepted = new Set<Socket>()
  const toEnd = (socket: Socket) => {
    if (accepted.delete(socket)) accepted.add(socket)
  }
  let quietUntilMs = 0
  server.on('connection', (socket: Socket) => {
    if (clients !== undefined && accepted.size >= clients.most()) {
      if (performance.now() >= quietUntilMs) {
        quietUntilMs = performance.now() + QUIET_MS
        clients.onTooMany()
      }
      const [oldest] = accepted
      const old = findIdle(accepted, clients) ?? (clients.closes === 'oldest' ? oldest : undefined)
      if (old === undefined) return void socket.destroy()
      accepted.delete(old)
      old.destroy()
    }
    accepted.add(socket)
    socket.once('close', () => accepted.delete(socket))
  })
  // Node tracks a connection only once TLS is established, and then as another socket than the accepted one.
  server.on('secureConnection', (socket: Socket) => {
    if (!accepted.delete(acceptedUnder(socket))) return
    accepted.add(socket)
    socket.once('close', () => accepted.delete(socket))
  })
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.on(event, ({ socket }, outgoing) => {
      toEnd(socket)
      outgoing.once('close', () => toEnd(socket))
    })
  return accepted
}

/**
 * Of the connections that are not busy, the one without a request for the longest time. A connection that never sent an octet
 * goes first, if it is among the oldest quarter: those that arrive in a flood would else end handshakes that are under way. A
 * newer connection may be a visitor's whose first octets are on their way.
 */
function findIdle(accepted: Set<Socket>, { isBusy }: ClientLimit): Socket | undefined {
  let idle: Socket | undefined
  let looks = 0
  for (const socket of accepted) {
    looks += 1
    if (idle === undefined && isBusy(socket)) continue
    idle ??= socket
    // Of TLS neither.
    if (acceptedUnder(socket).bytesRead === 0) return socket
    if (looks >= Math.min(SILENT_LOOKS, accepted.size / 4)) break
  }
  return idle
}

/** How many are looked at, so that a new connection costs no more where a great many are open. */
const SILENT_LOOKS = 256
const QUIET_MS = 60_000
