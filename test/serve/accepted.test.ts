import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { watchAccepted } from '../../src/serve/accepted.ts'
import { listenForTest } from '../support/listen.ts'
import { until } from '../support/until.ts'

it('a connection gives way that has had no request for the longest time, however long its last one took', async () => {
  const responses = new Map<string, ServerResponse>()
  const busy = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    busy.add(incoming.socket)
    outgoing.once('close', () => busy.delete(incoming.socket))
    if (incoming.url === '/long') responses.set('long', outgoing)
    else outgoing.end()
  })
  watchAccepted(server, {
    most: () => 3,
    isBusy: (socket) => busy.has(socket),
    closes: 'newest',
    onTooMany: () => {},
  })
  const port = await listenForTest(server)
  const ask = async (path: string) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    if (path === '/long') await once(server, 'request')
    else await once(socket, 'data')
    return socket
  }
  const long = await ask('/long')
  const first = await ask('/first')
  const second = await ask('/second')
  responses.get('long')?.end()
  await once(long, 'data')
  const closed = Promise.race(
    [long, first, second].map((socket, i) =>
      once(socket, 'close').then(() => ['long', 'first', 'second'][i]),
    ),
  )
  await ask('/third')
  expect(await closed).toBe('first')
})

it.each([
  [
    'before older ones that did, if it is among the oldest quarter',
    ['GET', '', '', 'GET', 'GET', 'GET', 'GET', 'GET'],
    1,
  ],
  ['after them, if it may just have come', ['G', 'G', '', '', '', '', '', ''], 0],
])('one that never sent an octet gives way %s', async (_when, sent, expected) => {
  const server = createServer()
  const most = sent.length
  watchAccepted(server, { most: () => most, isBusy: () => false, closes: 'newest', onTooMany: () => {} })
  const port = await listenForTest(server)
  const open = async (octets: string) => {
    const accepted = once(server, 'connection')
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const [other]: Socket[] = await accepted
    socket.write(octets)
    if (octets !== '') await until(() => other?.bytesRead === octets.length)
    return socket
  }
  const clients: Socket[] = []
  for (const octets of sent) clients.push(await open(octets))
  const closed = Promise.race(clients.map((socket, i) => once(socket, 'close').then(() => i)))
  await open('')
  expect(await closed).toBe(expected)
})
