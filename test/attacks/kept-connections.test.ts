/*
 * What clients send on connections that stay open: requests by the thousand in one packet, heads in pieces, a late CONNECT.
 */

import { expect, it } from 'vitest'
import { holdSome } from '../support/recording-upstream.ts'
import { OK, request, SMALL_HEAP, startBoth } from './serve.ts'

// One packet of 64 KiB holds 3,600 requests, and Node's parser would make objects of all of them although the connection
// closes after the second at the latest. Those of many connections add up, since a socket keeps its own until it is closed.
it.each([
  ['refused requests', 'GET / HTTP/1.1\r\n\r\n'],
  ['requests of a point', request('GET', '')],
])('packets full of %s, on many connections, cost little memory', async (_what, octets) => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const packet = octets.repeat(65_536 / octets.length)
  const clients = await Promise.all(Array.from({ length: 300 }, () => serve.client()))
  // The process reads all of them in few turns of its event loop.
  await serve.whileStopped(() => {
    for (const client of clients) client.write(packet)
  })
  await Promise.all(clients.map((client) => client.ended()))
  expect(await serve.visit()).toBe(OK)
})

// Node's parser keeps the fields of heads that came in several reads.
it('a connection is closed after a few large heads in several reads', async () => {
  const { serve } = await startBoth()
  const client = await serve.client()
  let requests = 0
  for (let isLast = false; !isLast; requests += 1) {
    const sent = client.socket.bytesWritten
    client.write(request('GET', '', `X-Large: ${'x'.repeat(60_000)}`))
    await expect.poll(() => client.socket.bytesWritten).toBeGreaterThan(sent)
    // Answered on a later connection, so the first part has been read.
    await serve.visit()
    client.write('\r\n\r\n')
    isLast = /^connection: close/im.test((await client.response()).octets)
    expect(requests).toBeLessThan(10)
  }
  await client.ended()
})

// Once a CONNECT is parsed, Node takes its own listeners off the socket, the one for errors included. Without one, a reset
// would end the process with all other visitors' requests.
it('a reset behind a pipelined CONNECT ends only its own connection', async () => {
  const { upstream, serve } = await startBoth(holdSome)
  const connect = 'CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com\r\n\r\n'
  const attacker = await serve.ask(request('GET', 'hold') + connect)
  await upstream.arrived(1)
  attacker.socket.resetAndDestroy()
  await serve.underWay(0)
  expect(await serve.visit()).toBe(OK)
  expect(serve.program.stderr()).toBe('')
})
