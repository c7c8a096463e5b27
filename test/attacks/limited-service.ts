import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { listenForTest } from '../support/listen.ts'

/** A service that counts its connections. The last segment of the path says what it does. */
export interface LimitedService {
  readonly origin: string
  /** Responses that were sent completely. */
  answered(): number
  /** The most connections that were open at once. */
  mostConnections(): number
  /** Requests on a connection whose previous request was not answered yet. */
  overlaps(): number
  /** Counts the connections now. */
  look(): void
  /** Answers nothing until `release`. */
  hold(): void
  release(): void
  /** Closes every connection and stops listening. */
  stop(): Promise<void>
}

/** Starts the service, and stops it when the test ends. */
export async function startLimitedService(port = 0): Promise<LimitedService> {
  const sockets = new Set<Socket>()
  const held = new Set<() => void>()
  let isHolding = false
  let answered = 0
  let most = 0
  let overlaps = 0
  const look = () => {
    // What this side has closed is not open any more. Of the rest, this process may learn of a new connection before it
    // learns that an old one ended, so the kernel is asked.
    const open = [...sockets].filter(({ writableEnded, destroyed }) => !writableEnded && !destroyed)
    if (open.length > most) most = Math.max(most, openConnections(boundPort, most))
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    let isBusy = false
    let pending = ''
    look()
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1')
      if (isBusy) overlaps += 1
      if (!pending.includes('\r\n\r\n')) return
      const [, word = ''] = /cookie_transfer\/(\S*)/.exec(pending) ?? []
      pending = ''
      isBusy = true
      const act = () => {
        isBusy = false
        if (word in FAULTS) return FAULTS[word as keyof typeof FAULTS](socket)
        answered += 1
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      }
      if (isHolding) held.add(act)
      else setImmediate(act)
    })
  })
  const stop = () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    return closed
  }
  const boundPort = await listenForTest(server, port)
  return {
    origin: `http://127.0.0.1:${boundPort}`,
    answered: () => answered,
    mostConnections: () => most,
    overlaps: () => overlaps,
    look,
    hold: () => {
      isHolding = true
    },
    release: () => {
      isHolding = false
      for (const act of held) act()
      held.clear()
    },
    stop,
  }
}

const FAULTS = {
  reset: (socket: Socket) => void socket.resetAndDestroy(),
  garbage: (socket: Socket) => void socket.end('no HTTP\r\n\r\n'),
  truncate: (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf'),
  close: (socket: Socket) =>
    void socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'),
  stall: () => {},
}

/**
 * Connections to a port that neither side has closed, by the kernel. Its table is not read in one go: what stands in two
 * readings was open between them, and one reading may show the same connection twice. The table holds every connection of
 * the machine, so it is not read again when the first reading shows no more than are `known`.
 */
function openConnections(port: number, known: number): number {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  const established = new RegExp(`^ *\\d+: 0100007F:${local} (\\S+) 01 `, 'gm')
  const read = () =>
    new Set([...readFileSync('/proc/net/tcp', 'latin1').matchAll(established)].map(([, peer]) => peer))
  const first = read()
  return first.size <= known ? first.size : [...read()].filter((peer) => first.has(peer)).length
}
