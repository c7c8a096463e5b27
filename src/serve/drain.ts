import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Traffic } from '../proxy/client-connection.ts'
import { stopAccepting } from '../proxy/internals/accepting.ts'

/**
 * Stops accepting and waits for the connections. Node's own `close` also stops enforcing the timeout for request heads
 * and cuts idle connections at once, which races with a request that is on its way. So only accepting ends, and idle
 * connections get some time in which a last request is answered with `Connection: close`. Node also considers a
 * connection idle whose response is complete but not sent yet, so none is closed while exchanges are in flight; and it
 * considers one busy that never sent anything, so these are closed separately.
 */
export async function drain(
  server: Server,
  accepted: ReadonlySet<Socket>,
  traffic: Pick<Traffic, 'inFlight'>,
  idleGraceMs: number = IDLE_GRACE_MS,
): Promise<void> {
  await acceptWaiting(server)
  const sweepFromMs = performance.now() + idleGraceMs
  return new Promise((resolve) => {
    stopAccepting(server, () => {
      clearInterval(sweep)
      server.close()
      resolve()
    })
    const closeIdle = () => {
      if (performance.now() < sweepFromMs) return
      for (const socket of accepted) if (socket.bytesRead === 0) socket.destroy()
      if (traffic.inFlight === 0) server.closeIdleConnections()
    }
    // A timer may be due before what has arrived is read.
    const sweep = setInterval(() => setImmediate(closeIdle), SWEEP_EVERY_MS)
  })
}

/**
 * Drains the accept backlog: the kernel would reset connections that it has established and we have not accepted. Node
 * accepts one in each turn of the event loop, however long that is; how many wait is unknown, but at most 511 (Node's backlog).
 */
async function acceptWaiting(server: Server): Promise<void> {
  let quietRounds = 0
  const onConnection = () => {
    quietRounds = -1
  }
  server.on('connection', onConnection)
  for (let left = MOST_ROUNDS; left > 0 && quietRounds < QUIET_ROUNDS; left -= 1) {
    // A timer may be due before Node has looked at the listener even once.
    await new Promise((resolve) => setTimeout(() => setImmediate(resolve), ACCEPT_ROUND_MS))
    quietRounds += 1
  }
  server.off('connection', onConnection)
}

const ACCEPT_ROUND_MS = 10
const QUIET_ROUNDS = 3
const MOST_ROUNDS = 511
const IDLE_GRACE_MS = 500
const SWEEP_EVERY_MS = 250
