/*
 * Uploads in chunks of one octet: six octets on the wire, each a piece of its own where no layer joins them.
 */

import { expect, it } from 'vitest'
import { answerOk, holdSome, type RecordingUpstream } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'
import { MEBIBYTE, OK, request, SMALL_HEAP, startBoth } from './serve.ts'

const KIBIBYTE = 1_024
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n'

it.each([
  ['all at once', 1],
  ['in 20 writes', 20],
])('100,000 chunks of one octet leave in far fewer pieces, written %s', async (_name, writes) => {
  const count = 100_000
  const { upstream, serve } = await startBoth()
  const client = await serve.ask(request('POST', 'tiny', CHUNKED))
  const body = '0123456789'.repeat(count / 10)
  const chunks = [...body].map((octet) => `1\r\n${octet}\r\n`)
  const step = count / writes
  for (let at = 0; at < count; at += step) {
    const piece = Buffer.from(chunks.slice(at, at + step).join(''), 'latin1')
    await new Promise((resolve) => client.socket.write(piece, resolve))
  }
  client.write('0\r\n\r\n')
  expect((await client.response()).startLine).toBe(OK)
  expect(upstream.requests[0]?.body === body).toBe(true)
  // One read of the socket is at most 64 KiB, so 10,922 chunks; a loaded machine reads less at once.
  expect(chunksOf(upstream)).toBeLessThan(count / 50)
})

it('a waiting request with tiny chunks takes only the memory of its octets', async () => {
  const waiting = 64
  const held = 32
  const { upstream, serve } = await startBoth(() => {}, { limits: { upstreamConnections: held } })
  for (let i = 0; i < held; i += 1) await serve.ask(request('GET', 'hold'))
  await upstream.arrived(held)
  const before = await serve.heapBytes()
  const octets = Buffer.from(request('POST', 'tiny', CHUNKED) + '1\r\nx\r\n'.repeat(1_500), 'latin1')
  for (let i = 0; i < waiting; i += 1) (await serve.client()).write(octets)
  await serve.underWay(held + waiting)
  const now = await serve.settledHeapBytes(waiting * KIBIBYTE)
  expect((now - before) / waiting / KIBIBYTE).toBeLessThan(128)
})

it('a service that reads nothing makes the proxy stop reading tiny chunks', async () => {
  const { serve } = await startBoth(() => {}, {}, { upstream: { onConnection: (socket) => socket.pause() } })
  const before = await serve.heapBytes()
  const client = await serve.ask(request('POST', 'tiny', CHUNKED))
  const octets = Buffer.from('1\r\nx\r\n'.repeat(10_000), 'latin1')
  // Writes until the kernel takes no more between two looks; the proxy has stopped then, whatever the kernel holds.
  let written = -1
  while (client.socket.writableLength === 0 || client.socket.bytesWritten > written) {
    written = client.socket.bytesWritten
    while (client.socket.writableLength < octets.length) client.socket.write(octets)
    await serve.heapBytes()
  }
  expect(((await serve.heapBytes()) - before) / MEBIBYTE).toBeLessThan(8)
})

it.each([
  ['of requests that have begun', request('POST', 'tiny', CHUNKED), ''],
  [
    'of requests that wait for an earlier response',
    '',
    request('GET', 'hold') + request('POST', 'tiny', CHUNKED),
  ],
])('tiny chunks %s, all in one turn, fit in a heap of 128 MiB', async (_what, before, head) => {
  const clients = 110
  const { serve } = await startBoth(holdSome, {}, SMALL_HEAP)
  const octets = Buffer.from(head + '1\r\nx\r\n'.repeat((65_536 - head.length) / 6), 'latin1')
  const opened = await Promise.all(Array.from({ length: clients }, () => serve.ask(before)))
  if (before !== '') await serve.underWay(clients)
  // While it is stopped, the kernel takes all of them, and then it reads all at once.
  await serve.whileStopped(() =>
    Promise.all(opened.map(({ socket }) => new Promise((resolve) => socket.write(octets, resolve)))),
  )
  expect(await serve.visit()).toBe(OK)
  expect(serve.program.stderr()).toBe('')
})

it('visitors are answered beside a hundred uploads in tiny chunks, or once these have been read', async () => {
  const { serve } = await startBoth((received, socket) => {
    if (!received.startLine.includes('/tiny')) answerOk(received, socket)
  })
  const octets = Buffer.from('1\r\nx\r\n'.repeat(20_000), 'latin1')
  const clients = Array.from({ length: 100 }, () => serve.ask(request('POST', 'tiny', CHUNKED)))
  for (const { socket } of await Promise.all(clients)) socket.write(octets)
  await until(async () => (await serve.visit()) === OK)
  expect(serve.program.stderr()).toBe('')
})

/** How many chunks the first request had when it arrived. */
function chunksOf({ requests: [first] }: RecordingUpstream): number {
  const octets = first?.octets ?? ''
  let at = octets.indexOf('\r\n\r\n') + 4
  for (let count = 0; ; count += 1) {
    const lineEnd = octets.indexOf('\r\n', at)
    const size = Number.parseInt(octets.slice(at, lineEnd), 16)
    if (!(size > 0)) return count
    at = lineEnd + 2 + size + 2
  }
}
