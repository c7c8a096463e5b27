import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { acceptedUnder } from '../proxy/internals/accepted-socket.ts'
import { LinkedList, Listed } from '../proxy/linked-list.ts'
import { PerSocket } from '../proxy/per-socket.ts'

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

/** The connections that the server has accepted, the longest unused one first, and no more of them than the limit. */
export function watchAccepted(server: Server, clients?: ClientLimit): LinkedList<Accepted> {
  const accepted = new LinkedList<Accepted>()
  const itemOf = new PerSocket<Accepted>()
  let quietUntilMs = 0
  server.on('connection', (socket: Socket) => {
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
    server.on(event, ({ socket }, outgoing) => {
      const item = itemOf.of(socket)
      if (item === undefined) return
      moveToEnd(accepted, item)
      outgoing.once('close', () => moveToEnd(accepted, item))
    })
  return accepted
}

/**
 * Of those without a request, the one that has had none for the longest time. One that never sent an octet goes first, if
 * it is among the oldest quarter: those that arrive in a flood would else end handshakes that are under way. A newer one
 * may be a visitor's whose first octets are on their way.
 */
function findIdle(accepted: LinkedList<Accepted>, { isBusy }: ClientLimit): Accepted | undefined {
  for (let looks = accepted.size; looks > 0 && accepted.first !== undefined; looks -= 1) {
    const { first } = accepted
    if (!isBusy(first.socket)) return findSilent(first, Math.min(SILENT_LOOKS, accepted.size / 4)) ?? first
    moveToEnd(accepted, first)
  }
  return undefined
}

function findSilent(first: Accepted, most: number): Accepted | undefined {
  let item: Accepted | undefined = first
  for (let looks = 0; looks < most && item !== undefined; looks += 1) {
    if (item.isSilent) return item
    item = item.next
  }
  return undefined
}

function moveToEnd(accepted: LinkedList<Accepted>, item: Accepted): void {
  if (accepted.delete(item)) accepted.add(item)
}

/** A connection in the list of those that are open. */
export class Accepted extends Listed<Accepted> {
  /** The accepted one, until TLS is established on it. */
  socket: Socket

  constructor(socket: Socket) {
    super()
    this.socket = socket
  }

  /** Whether the client has not sent an octet, of TLS either. */
  get isSilent(): boolean {
    return acceptedUnder(this.socket).bytesRead === 0
  }
}

/** So that a new connection costs no more where a great many are open. */
const SILENT_LOOKS = 256
const QUIET_MS = 60_000
