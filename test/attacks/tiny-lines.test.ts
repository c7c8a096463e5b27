/*
 * Heads and trailers of tiny lines. `ab:` is five octets on the wire; Node and undici count two of them against their limit
 * on a head, and keep some hundred bytes of heap for it.
 *
 * Contract, section 3: "more than 256 field lines, or more octets on the wire than `limits.headerBytes`: 431, while they
 * arrive: an unfinished head or trailer section never costs more memory than the limit".
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
])('unfinished %s of 30,500 lines are cut while they arrive', async (_what, octets) => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const before = await serve.heapBytes()
  const clients = await flood(serve, 160, octets)
  await Promise.all(clients.map((client) => client.ended()))
  for (const client of clients) expect(client.pending()).toMatch(/^(?:HTTP\/1\.1 431 |$)/)
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
  await flood(serve, 2_500, toOctets(rest))
  expect(await serve.visit()).toBe(OK)
  expect(((await serve.heapBytes()) - before) / MEBIBYTE).toBeLessThan(72)
})

it('unfinished heads that are within the limit give way to newer ones once they fill their share of memory', async () => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const before = await serve.heapBytes()
  const octets = request('GET', 'long', LONG.repeat(250))
  const clients = await flood(serve, 1_500, octets)
  expect(await serve.visit()).toBe(OK)
  expect(((await serve.heapBytes()) - before) / MEBIBYTE).toBeLessThan(32)
  const [oldest] = clients
  expect((await oldest?.response())?.startLine).toBe('HTTP/1.1 503 Service Unavailable')
  // One that began late is still waited for.
  const late = await serve.ask(octets)
  expect(await serve.visit()).toBe(OK)
  late.write('\r\n')
  expect((await late.response()).startLine).toBe(OK)
})

it('unfinished heads that are all alike give way to a larger one that comes after them', async () => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  // Together just less than their share of the heap.
  await flood(serve, 2_500, request('GET', 'alike', `Cookie: sid=${'x'.repeat(6_580)}\r\n`))
  expect(await serve.visit()).toBe(OK)
  const honest = await serve.ask(request('GET', 'large', `Cookie: sid=${'x'.repeat(14_000)}`))
  await flood(serve, 60, request('GET', 'alike', `Cookie: sid=${'x'.repeat(6_580)}\r\n`))
  // Who comes after them is answered once they were read.
  for (let i = 0; i < 3; i += 1) expect(await serve.visit()).toBe(OK)
  honest.write(`${'x'.repeat(5_000)}\r\n\r\n`)
  expect((await honest.response()).startLine).toBe(OK)
})

it.each([
  // The head of the request stays as long as the rest of its body is awaited, and not longer.
  ['whose body ended after its answer', 'ab', 48],
  ['whose body is still awaited after its answer', '', 48],
])('the heads of answered uploads are not kept: %s', async (_what, rest, mostMebibytes) => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const before = await serve.heapBytes()
  const head = `POST /nowhere HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 2\r\n`
  const large = `${head}${LONG.repeat(240)}\r\n`
  // More at a time might be refused, since a head that has not arrived whole is an unfinished one.
  for (let batch = 0; batch < 15; batch += 1) {
    const clients = await flood(serve, 100, large)
    await Promise.all(clients.map((client) => client.received('HTTP/1.1 404 ')))
    for (const client of clients) client.write(rest)
  }
  expect(await serve.visit()).toBe(OK)
  expect(((await serve.heapBytes()) - before) / MEBIBYTE).toBeLessThan(mostMebibytes)
})

it.each([
  ['idle after an upload in two packets', request('POST', 'a', 'Content-Length: 2\r\n\r\na'), 'b', true],
  ['idle after a GET and an empty line', request('GET', 'a'), '\r\n', true],
  ['with an upload that goes on', request('POST', 'a', 'Content-Length: 3\r\n\r\na'), 'b', false],
])('a connection %s is not cut for unfinished heads', async (_what, first, second, isIdle) => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const client = await serve.ask(first)
  await serve.admin('/livez')
  client.write(second)
  if (isIdle) expect((await client.response()).startLine).toBe(OK)
  await flood(serve, 400, request('GET', 'long', LONG.repeat(250)))
  const zeros = await serve.ask(request('POST', 'zeros', `${CHUNKED}1\r\na\r\n`))
  await new Promise((resolve) => zeros.socket.write('0'.repeat(24_000_000), resolve))
  client.write(isIdle ? request('GET', 'again') : 'c')
  expect((await client.response()).startLine).toBe(OK)
})

it('an upload that goes on is not cut for unfinished heads that began after it', async () => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const upload = await serve.ask(request('POST', 'honest', `${CHUNKED}1\r\nx\r\n`))
  const idle = await serve.client()
  for (let round = 0; round < 3; round += 1) {
    await flood(serve, 300, request('GET', 'long', LONG.repeat(250)))
    upload.write('1\r\nx\r\n')
    idle.write(request('GET', 'again'))
    expect((await idle.response()).startLine).toBe(OK)
  }
  upload.write('0\r\n\r\n')
  expect((await upload.response()).startLine).toBe(OK)
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
