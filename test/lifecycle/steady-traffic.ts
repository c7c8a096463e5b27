import { openClient } from '../support/raw-client.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { onlyValue } from '../support/wire.ts'

/** What one client saw until its traffic ended. */
export interface ClientStory {
  readonly statuses: readonly string[]
  /** `told`: an answer said `Connection: close`. `cut`: the connection ended while an answer was due. */
  readonly end: 'stopped' | 'told' | 'cut'
}

/**
 * Keeps `count` connections busy: each sends its next request when the answer to the last is complete, as long as
 * no response tells it to leave. It begins when each has had a first answer, so none waits to be accepted. Every other client sends a POST with a body, which must not be sent twice.
 *
 * @param pauseMs how long each client is idle before its next request
 */
export async function startTraffic(port: number, count: number, pauseMs = 4) {
  let state: 'running' | 'stopping' = 'running'
  let answered = count
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = await openClient(port)
      client.write(GET)
      await client.response()
      return client
    }),
  )
  const stories = clients.map(async (client, index): Promise<ClientStory> => {
    const statuses: string[] = []
    try {
      while (state === 'running') {
        client.write(index % 2 === 0 ? GET : POST)
        const answer = await client.response().catch(() => undefined)
        if (answer === undefined) return { statuses, end: 'cut' }
        statuses.push(answer.startLine)
        answered += 1
        if (onlyValue(answer.fields, 'connection') === 'close') return { statuses, end: 'told' }
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      return { statuses, end: 'stopped' }
    } finally {
      client.close()
    }
  })
  return {
    /** Requests answered so far, by all clients. */
    answered: () => answered,
    /** Stops sending; resolves with the stories once the last responses have arrived. */
    stop: () => {
      state = 'stopping'
      return Promise.all(stories)
    },
    /** The stories, once every client has ended by itself. */
    ended: () => Promise.all(stories),
  }
}

const GET = `GET /service_cookie_transfer/a HTTP/1.1\r\nHost: ${POINT_HOST}\r\n\r\n`
const POST = `POST /service_cookie_transfer/b HTTP/1.1\r\nHost: ${POINT_HOST}\r\nContent-Length: 4\r\n\r\nbody`

/** How many rounds each life-cycle test has; `LIFECYCLE_ROUNDS=100` for the long form. */
export const ROUNDS = Number(process.env.LIFECYCLE_ROUNDS ?? 5)

/** Time for all rounds, ms. */
export const ROUNDS_TIMEOUT_MS = 20_000 + ROUNDS * 5_000
