import { setTimeout as later } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { answerOk, type Script } from '../support/recording-upstream.ts'
import { askPoint, openServed, pointRequest } from '../support/served.ts'
import { ROUNDS, ROUNDS_TIMEOUT_MS, startTraffic } from './steady-traffic.ts'

/** Every response takes a short, varying time, so that a signal meets requests at every stage. */
const answerSoon: Script = (request, socket) =>
  void later((request.turn * 7) % 23).then(() => socket.writable && answerOk(request, socket))

it(
  `${ROUNDS} SIGTERMs under load fail no request`,
  async () => {
    const served = await openServed(answerSoon)
    for (let round = 0; round < ROUNDS; round += 1) {
      const { program, port } = await served.start()
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

const UNENDED = `${pointRequest().slice(0, -2)}Cookie: a`
const POST = pointRequest('a').replace('GET', 'POST').slice(0, -2)

/** The exit code is 1 when a request had to be cut, 0 when none was in progress. */
it.each<[what: string, octets: string, exit: 0 | 1]>([
  ['says nothing', '', 0],
  ['never ends its head', UNENDED, 0],
  ['never ends its second head', `${pointRequest()}${UNENDED}`, 0],
  ['stalls in its upload', `${POST}Content-Length: 10\r\n\r\nhalf`, 1],
  ['stalls in a chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nff\r\nhalf`, 1],
  ['does not read', pointRequest('large'), 1],
  ['waits for its service', pointRequest('silent'), 1],
])('a client that %s does not hold up the exit', async (_what, octets, exit) => {
  const served = await openServed((request, socket) => {
    if (request.startLine.includes('/silent')) return
    if (!request.startLine.includes('/large')) return answerOk(request, socket)
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${LARGE.length}\r\n\r\n`)
    socket.write(LARGE)
  })
  // Only the end of the drain can close these connections.
  const timeouts = { idle: '1h', headers: '1h', drain: '300ms' }
  const { program, port } = await served.start({ timeouts, log: { access: true } })
  const hostile = await openClient(port)
  if (octets.includes('/large')) hostile.socket.pause()
  const sawBefore = served.upstream.octets.length
  hostile.write(octets)
  // What shows that the program has taken them.
  if (exit === 1) await served.upstream.saw(sawBefore, (text) => text.includes('\r\n\r\n'))
  else await askPoint(port)
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(exit)
  hostile.socket.resume()
  expect(await hostile.ended()).not.toBe('open')
  // Neither the service nor the client was to blame.
  if (exit === 1) expect(program.stdout()).toContain('"outcome":"draining"')
  if (exit === 1 && !octets.includes('/large')) expect(hostile.pending()).toMatch(/^HTTP\/1\.1 503 /)
})

/** More than the kernel buffers for a client that does not read. */
const LARGE = Buffer.alloc(64 * 1_048_576, 'x')
