/*
 * One packet of 64 KiB holds 3,600 requests, and Node's parser would make objects of all of them although the connection
 * is cut at the 102nd. Those of many connections add up, since a socket keeps its own until it is closed, after the
 * process has read all others.
 *
 * Contract, section 3: "at most 100 requests of a connection wait"; all that wait take 4 MiB together.
 */

import { expect, it } from 'vitest'
import { answerOk, startUpstream } from '../support/recording-upstream.ts'
import { request, startServe } from './serve.ts'

const PACKET_OCTETS = 65_536
const CONNECTIONS = 300
const TINY = 'GET / HTTP/1.1\r\n\r\n'

it.each([
  ['refused requests', TINY],
  ['requests of a point', request('GET', '')],
])('packets full of %s, on many connections, cost little memory', async (_what, octets) => {
  const upstream = await startUpstream(answerOk)
  const serve = await startServe(upstream.origin, {}, { nodeFlags: ['--max-old-space-size=128'] })
  const packet = octets.repeat(PACKET_OCTETS / octets.length)
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => serve.client()))
  // The process reads all of them in few turns of its event loop.
  serve.program.signal('SIGSTOP')
  for (const client of clients) client.write(packet)
  serve.program.signal('SIGCONT')
  await Promise.all(clients.map((client) => client.ended()))
  expect((await (await serve.ask(request('GET', 'new'))).response()).startLine).toBe('HTTP/1.1 200 OK')
  await upstream.close()
})
