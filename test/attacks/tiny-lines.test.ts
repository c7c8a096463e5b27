/*
 * Heads and trailers of tiny lines. `ab:` is five octets on the wire; Node and undici count two of them against their limit
 * on a head, and keep some hundred bytes of heap for it.
 */

import { expect, it } from 'vitest'
import type { RawClient } from '../support/raw-client.ts'
import { MEBIBYTE, OK, request, type Serve, SMALL_HEAP, startBoth } from './serve.ts'

const LONG = `Cookie: sid=${'x'.repeat(220)}\r\n`
const LINES = 'ab:\r\n'.repeat(30_500)
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n'

it.each([
  ['heads', request('GET', 'tiny', LINES)],
  ['trailers', request('POST', 'tiny', `${CHUNKED}1\r\nx\r\n0\r\n${LINES}`)],
])('unfinished %s of 30,500 lines take little memory', async (_what, octets) => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const before = await serve.heapBytes()
  await flood(serve, 160, octets)
  expect(await serve.visit()).toBe(OK)
  expect(((await serve.heapBytes()) - before) / MEBIBYTE).toBeLessThan(8)
  expect(await serve.visit()).toBe(OK)
})

it.each([
  [
    'heads behind a complete request in the same packet',
    (rest: string) => request('GET', 'whole') + request('GET', 'long', rest),
  ],
  [
    'heads behind a refused request in the same packet',
    (rest: string) => `GET /nowhere HTTP/1.1\r\nHost: www.example.com\r\n\r\n${request('GET', 'long', rest)}`,
  ],
  [
    'trailers behind a refused request',
    (rest: string) => `POST /nowhere HTTP/1.1\r\nHost: www.example.com\r\n${CHUNKED}0\r\n${rest}`,
  ],
  ['heads of short lines', () => request('GET', 'short', 'abcd:efgh\r\n'.repeat(508))],
])('unfinished %s give way too', async (_what, toOctets) => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const before = await serve.heapBytes()
  const rest = LONG.repeat(240)
  await flood(serve, 1_500, toOctets(rest))
  expect(await serve.visit()).toBe(OK)
  expect(((await serve.heapBytes()) - before) / MEBIBYTE).toBeLessThan(72)
})

it.each([
  // The head of the request stays as long as the rest of its body is awaited, and not longer. How many may is a number that
  // is fixed at the start: half of this heap at most.
  ['whose body ended after its answer', 'ab', 48],
  ['whose body is still awaited after its answer', '', 64],
])('the heads of answered uploads are not kept: %s', async (_what, rest, mostMebibytes) => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const before = await serve.heapBytes()
  const head = `POST /nowhere HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 2\r\n`
  const large = `${head}${LONG.repeat(240)}\r\n`
  for (let batch = 0; batch < 15; batch += 1) {
    const clients = await flood(serve, 100, large)
    await Promise.all(clients.map((client) => client.received('HTTP/1.1 404 ')))
    for (const client of clients) client.write(rest)
  }
  expect(await serve.visit()).toBe(OK)
  expect(((await serve.heapBytes()) - before) / MEBIBYTE).toBeLessThan(mostMebibytes)
})

it.each([
  ['heads', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 502 Bad Gateway'],
  ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n', OK],
])('unfinished %s of 30,500 lines from the service are cut', async (_what, start, startLine) => {
  const { upstream, serve } = await startBoth(
    ({ startLine }, socket) =>
      startLine.includes('/tiny')
        ? socket.write(start + LINES)
        : socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    {},
    SMALL_HEAP,
  )
  const before = await serve.heapBytes()
  const clients = await flood(serve, 60, request('GET', 'tiny'))
  await Promise.all(clients.map((client) => client.received(startLine)))
  await Promise.all(upstream.sockets.map((_socket, index) => upstream.closed(index)))
  expect(((await serve.heapBytes()) - before) / MEBIBYTE).toBeLessThan(8)
  expect(await serve.visit()).toBe(OK)
})

/** Opens connections and writes the same octets on each. */
async function flood(serve: Serve, count: number, octets: string): Promise<readonly RawClient[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => serve.client()))
  await Promise.all(
    clients.map(({ socket }) => new Promise<void>((resolve) => void socket.write(octets, () => resolve()))),
  )
  return clients
}
