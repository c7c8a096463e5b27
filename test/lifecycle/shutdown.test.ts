import { setTimeout as later } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { answerOk, type Script } from '../support/recording-upstream.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { openServed, ROUNDS, ROUNDS_TIMEOUT_MS } from './served.ts'
import { startTraffic } from './steady-traffic.ts'

/** Every response takes a short, varying time, so that a signal meets requests at every stage. */
const answerSoon: Script = (request, socket) =>
  void later((request.turn * 7) % 23).then(() => socket.writable && answerOk(request, socket))

it(
  `${ROUNDS} SIGTERMs under load fail no request`,
  async () => {
    const served = await openServed(answerSoon)
    for (let round = 0; round < ROUNDS; round += 1) {
      const { program, port } = await served.start({ workers: round % 5 === 4 ? 2 : 1 })
      const before = served.upstream.requests.length
      const traffic = await startTraffic(port, 8)
      await served.upstream.arrived(before + 40 + round)
      program.signal('SIGTERM')
      const stories = await traffic.ended()
      expect(stories.map(({ end }) => end)).toEqual(Array(8).fill('told'))
      expect(new Set(stories.flatMap(({ statuses }) => statuses))).toEqual(new Set(['HTTP/1.1 200 OK']))
      expect(served.upstream.requests.length - before).toBe(traffic.answered())
      expect(await program.ended()).toBe(0)
      expect(program.stderr()).toBe('')
    }
  },
  ROUNDS_TIMEOUT_MS,
)

interface Hostile {
  readonly name: string
  readonly octets: string
  /** 1 when a request had to be cut, 0 when none was in progress. */
  readonly exit: 0 | 1
  /** What shows that the program is in the state of the row. */
  readonly isReached: 'by its octets' | 'at the service'
}

const head = (method: string, path: string) =>
  `${method} /service_cookie_transfer/${path} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n`
const healthy = `${head('GET', 'healthy')}\r\n`

const HOSTILE: readonly Hostile[] = [
  { name: 'says nothing', octets: '', exit: 0, isReached: 'by its octets' },
  { name: 'never ends its head', octets: `${head('GET', '')}Cookie: a`, exit: 0, isReached: 'by its octets' },
  {
    name: 'never ends its second head',
    octets: `${healthy}${head('GET', '')}Cookie: a`,
    exit: 0,
    isReached: 'by its octets',
  },
  {
    name: 'stalls in its upload',
    octets: `${head('POST', 'a')}Content-Length: 10\r\n\r\nhalf`,
    exit: 1,
    isReached: 'at the service',
  },
  {
    name: 'stalls in a chunk',
    octets: `${head('POST', 'a')}Transfer-Encoding: chunked\r\n\r\nff\r\nhalf`,
    exit: 1,
    isReached: 'at the service',
  },
  { name: 'does not read', octets: `${head('GET', 'large')}\r\n`, exit: 1, isReached: 'at the service' },
]

it.each(HOSTILE.flatMap((row) => [1, 2].map((workers) => ({ ...row, workers }))))(
  'a client that $name does not hold up the exit, workers: $workers',
  async ({ octets, exit, isReached, workers }) => {
    const served = await openServed((request, socket) => {
      if (!request.startLine.includes('/large')) return answerOk(request, socket)
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${LARGE.length}\r\n\r\n`)
      socket.write(LARGE)
    })
    // Only the end of the drain can close these connections.
    const timeouts = { idle: '1h', headers: '1h', drain: '300ms' }
    const { program, port } = await served.start({ workers, timeouts })
    const hostile = await openClient(port)
    if (octets.includes('/large')) hostile.socket.pause()
    const sawBefore = served.upstream.octets.length
    hostile.write(octets)
    if (isReached === 'at the service')
      await served.upstream.saw(sawBefore, (text) => text.includes('\r\n\r\n'))
    else {
      const other = await openClient(port)
      other.write(healthy)
      await other.response()
      other.close()
    }
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(exit)
    hostile.socket.resume()
    expect(await hostile.ended()).not.toBe('open')
  },
)

/** More than the kernel buffers for a client that does not read. */
const LARGE = Buffer.alloc(64 * 1_048_576, 'x')
