/*
 * Slow uploads and requests that the service does not answer occupy every connection. Then thousands of requests arrive
 * with heads of the largest size that is allowed, and are given up while they wait.
 */

import { once } from 'node:events'
import { expect, it } from 'vitest'
import { holdSome } from '../support/recording-upstream.ts'
import { MEBIBYTE, OK, request, type Serve, startBoth } from './serve.ts'

const CONNECTIONS = 128
const ROUNDS = 3
const AT_ONCE = 300
const HEAD_OCTETS = 50_000
/** Less than Node reads ahead, so that it notices when the client goes. */
const BODY_OCTETS = 10_000
/** The heads of the requests that are given up add up to 43 MiB; keeping half of them would exceed this. */
const HEAP_BAR_BYTES = 20 * MEBIBYTE

const field = `X-Large: ${'x'.repeat(HEAD_OCTETS)}\r\n`
const body = 'x'.repeat(BODY_OCTETS)
const post = (length: number) =>
  request('POST', 'given-up', `${field}Content-Length: ${length}\r\n\r\n${body}`)
const attacks = {
  GET: request('GET', 'given-up', `${field}\r\n`),
  'POST with a body that is all there': post(BODY_OCTETS),
  'POST with a body that is on its way': post(2 * BODY_OCTETS),
}

it.each(Object.entries(attacks))(
  `${ROUNDS * AT_ONCE} times %s, given up while it waits`,
  async (_name, octets) => {
    // On a loaded machine it takes longer than those that are held may wait by default.
    const { upstream, serve } = await startBoth(holdSome, { timeouts: { idle: '10m', headers: '10m' } })
    const slow = request('POST', 'slow-upload', 'Content-Length: 100\r\n\r\nx')
    const held = []
    for (let i = 0; i < CONNECTIONS; i += 1) held.push(await serve.ask(slow))
    for (let i = 0; i < CONNECTIONS; i += 1) held.push(await serve.ask(request('GET', 'hold')))
    await serve.underWay(held.length)
    const heldConnections = () =>
      upstream.octets.filter((text) => /slow-upload|hold/.test(text)).length === CONNECTIONS
    await upstream.saw(CONNECTIONS - 1, heldConnections)

    // The first round warms up: what stays for good is allocated by then.
    await giveUp(serve, octets, held.length)
    const before = await serve.heapBytes()
    for (let round = 0; round < ROUNDS; round += 1) await giveUp(serve, octets, held.length)
    const grown = (await serve.heapBytes()) - before
    expect(grown / MEBIBYTE).toBeLessThan(HEAP_BAR_BYTES / MEBIBYTE)

    // No client waits any more: as soon as connections become free, a new request is answered, and only that one is sent.
    for (const client of held) client.close()
    await serve.underWay(0)
    expect(await serve.visit(request('GET', 'new'))).toBe(OK)
    expect(upstream.octets.filter((text) => text.includes('given-up'))).toEqual([])
    expect(upstream.requests.filter(({ startLine }) => startLine.includes('/new'))).toHaveLength(1)
  },
  180_000,
)

/** Opens many connections, waits until each request is in progress, and resets them. */
async function giveUp(serve: Serve, octets: string, others: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => serve.ask(octets)))
  await serve.underWay(others + AT_ONCE)
  for (const { socket } of clients) socket.resetAndDestroy()
  await Promise.all(clients.map(({ socket }) => socket.destroyed || once(socket, 'close')))
  await serve.underWay(others)
}
