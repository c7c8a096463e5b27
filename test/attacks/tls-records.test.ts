/*
 * TLS records of one octet: each is a read of its own for Node's parser, even if all of them came in one segment.
 */

import { expect, it } from 'vitest'
import type { RawClient } from '../support/raw-client.ts'
import { answerOk, holdSome } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'
import { OK, SHOP_HOST, startTls } from './serve.ts'

const KIBIBYTE = 1_024
const RECORDS = 2_500

const head = (method: string, path: string, fields = '') =>
  `${method} /service_cookie_transfer/${path} HTTP/1.1\r\nHost: ${SHOP_HOST}\r\n${fields}\r\n`
const post = (path: string) => head('POST', path, `Content-Length: ${RECORDS}\r\n`)

// Node reads no further itself after these, and would keep each record as an object.
it.each([
  ['a waiting request', post('tiny')],
  ['what follows CONNECT', `CONNECT a.test:1 HTTP/1.1\r\nHost: a.test:1\r\n\r\n`],
  ['what follows an invalid octet', '\u0001'],
])('%s takes only the memory of its octets behind a request in progress', async (_what, octets) => {
  // Together not so many records that some are refused.
  const waiting = 7
  const { upstream, serve, ask } = await startTls(holdSome)
  const clients = await Promise.all(Array.from({ length: waiting }, () => ask(head('GET', 'hold'))))
  await upstream.arrived(waiting)
  const before = await serve.heapBytes()
  await serve.whileStopped(async () => {
    for (const client of clients) {
      await written(client, octets)
      await writeRecords(client, RECORDS)
    }
  })
  const now = await serve.settledHeapBytes(waiting * KIBIBYTE)
  expect((now - before) / waiting / KIBIBYTE).toBeLessThan(100)
})

it('a body arrives whole and in far fewer pieces', async () => {
  const { upstream, serve, ask } = await startTls()
  const client = await ask(head('POST', 'tiny', 'Transfer-Encoding: chunked\r\n'))
  await serve.underWay(1)
  await serve.whileStopped(async () => {
    await written(client, `${RECORDS.toString(16)}\r\n`)
    await writeRecords(client, RECORDS)
    client.write('\r\n0\r\n\r\n')
  })
  expect((await client.response()).startLine).toBe(OK)
  const octets = upstream.requests[0]?.octets ?? ''
  const body = octets.slice(octets.indexOf('\r\n\r\n') + 4)
  expect(body.replace(/\r\n[0-9a-f]+\r\n|^[0-9a-f]+\r\n/g, '')).toMatch(new RegExp(`^x{${RECORDS}}\\r\\n$`))
  expect(body.match(/^[0-9a-f]+$/gm)?.length).toBeLessThan(RECORDS / 20)
})

it('requests sent ahead, a record each, do no harm to a large response', async () => {
  const body = Buffer.alloc(16_777_216, 'x')
  const { upstream, serve, ask } = await startTls((received, socket) => {
    if (!received.startLine.includes('/large')) return answerOk(received, socket)
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`)
    socket.write(body)
  })
  const client = await ask(head('GET', 'large'))
  await client.received(OK)
  client.socket.pause()
  // The kernel takes no more for the client when the proxy reads no more of the service.
  let left = Number.NaN
  await until(async () => {
    const last = left
    left = upstream.sockets[0]?.writableLength ?? 0
    await serve.admin('/livez')
    return left > 0 && left === last
  })
  await serve.whileStopped(async () => {
    await written(client, head('GET', 'second'))
    await written(client, head('GET', 'third', 'Connection: close\r\n'))
  })
  client.socket.removeAllListeners('data')
  const octets = Buffer.concat(await client.socket.toArray()).toString('latin1')
  expect(octets).toMatch(/x{1000}$/)
  expect(octets).not.toContain('HTTP/1.1')
})

/** Writes them in a record of their own. */
function written({ socket }: RawClient, octets: string): Promise<void> {
  return new Promise((resolve) => void socket.write(octets, () => resolve()))
}

async function writeRecords(client: RawClient, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await written(client, 'x')
}
