/*
 * One packet of 64 KiB holds 3,600 requests, and Node's parser would make objects of all of them although the connection
 * closes after the second at the latest. Those of many connections add up, since a socket keeps its own until it is closed,
 * after the process has read all others.
 *
 * Contract, section 3: "A request that comes while an earlier one of its connection is unanswered is not begun".
 */

import { expect, it } from 'vitest'
import { OK, request, SMALL_HEAP, startBoth } from './serve.ts'

const PACKET_OCTETS = 65_536
const CONNECTIONS = 300
const TINY = 'GET / HTTP/1.1\r\n\r\n'

it.each([
  ['refused requests', TINY],
  ['requests of a point', request('GET', '')],
])('packets full of %s, on many connections, cost little memory', async (_what, octets) => {
  const { serve } = await startBoth(undefined, {}, SMALL_HEAP)
  const packet = octets.repeat(PACKET_OCTETS / octets.length)
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => serve.client()))
  // The process reads all of them in few turns of its event loop.
  await serve.whileStopped(() => {
    for (const client of clients) client.write(packet)
  })
  await Promise.all(clients.map((client) => client.ended()))
  expect(await serve.visit()).toBe(OK)
})
