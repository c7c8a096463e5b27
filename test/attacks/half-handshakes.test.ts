/*
 * Connections that begin TLS and go no further, or begin with something else. OpenSSL takes the memory that a handshake
 * message announces when it has read its header.
 */

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient } from '../support/raw-client.ts'
import { askShop, OK, type Serve, SHOP_HOST, startTls } from './serve.ts'

const SHOP_REQUEST = `GET /service_cookie_transfer/ HTTP/1.1\r\nHost: ${SHOP_HOST}\r\n\r\n`
const KIBIBYTE = 1_024

/** The first record of a handshake: its header, and that of a message that announces so many octets. */
const announcing = (octets: number, type = 1) => {
  const random = Buffer.alloc(38, 3)
  const header = Buffer.from([22, 3, 1, 0, 4 + random.length, type, 0, 0, 0])
  header.writeUIntBE(octets, 6, 3)
  return Buffer.concat([header, random])
}

it.each<[string, Buffer]>([
  ['a message of a server', announcing(100, 2)],
  ['http', Buffer.from(`GET / HTTP/1.1\r\nHost: ${SHOP_HOST}\r\n\r\n`)],
])('closes a connection that begins with %s', async (_, octets) => {
  const { serve } = await startTls()
  const client = await openForTest(openClient(serve.port))
  client.write(octets)
  await client.ended()
})

it('closes a connection that sends part of the first header, and nothing more', async () => {
  const { serve } = await startTls(undefined, { timeouts: { idle: '200ms' } })
  const client = await openForTest(openClient(serve.port))
  client.write(announcing(512).subarray(0, 8))
  await client.ended()
  expect(client.pending()).toBe('')
})

it.each<[string, (octets: Buffer) => Buffer[]]>([
  ['as it was sent', (octets) => [octets]],
  ['octet by octet', (octets) => Array.from(octets, (octet) => Buffer.of(octet))],
  ['in records of one octet', (octets) => [inRecordsOfOneOctet(octets)]],
])('takes a ClientHello %s', async (_, split) => {
  const { serve } = await startTls()
  const port = await startRelay(serve.port, split)
  const client = await askShop(port, SHOP_REQUEST)
  expect((await client.response()).startLine).toBe(OK)
})

it('a handshake under way survives a flood of empty connections', async () => {
  const { serve } = await startTls(undefined, {}, { fileLimit: 128 })
  const flood = async () => {
    for (let i = 0; i < 300; i += 1) {
      const socket = connect(serve.port, '127.0.0.1').on('error', () => {})
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
    }
    // All of them were accepted, and many closed again, when one that came later is.
    const last = await openClient(serve.port)
    last.write('not TLS')
    await last.ended()
  }
  const client = await askShop(await startRelay(serve.port, (octets) => [octets], flood), SHOP_REQUEST)
  expect((await client.response()).startLine).toBe(OK)
})

it.each<[string, () => Buffer | Promise<Buffer>]>([
  ['the beginning of a large ClientHello', () => announcing(131_000)],
  ['a whole ClientHello', captureClientHello],
])('a flood of half handshakes takes little memory, and a visitor is served: %s', async (_, octets) => {
  const handshakes = 500
  const { serve } = await startTls()
  const before = await residentBytes(serve)
  const sockets: Socket[] = []
  for (let i = 0; i < handshakes; i += 1) {
    const socket = connect(serve.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(await octets())
    sockets.push(socket)
  }
  // A whole exchange on a later connection: all that came before has been read.
  const client = await askShop(serve.port, SHOP_REQUEST)
  expect((await client.response()).startLine).toBe(OK)
  expect(((await residentBytes(serve)) - before) / handshakes / KIBIBYTE).toBeLessThan(200)
  expect(sockets.some(({ destroyed }) => destroyed)).toBe(false)
})

/** What Node's client sends first. */
async function captureClientHello(): Promise<Buffer> {
  const server = createServer()
  const client = connectTls({ port: await listenForTest(server), servername: SHOP_HOST })
  client.on('error', () => {})
  const [accepted] = await once(server, 'connection')
  const [octets] = await once(accepted, 'data')
  client.destroy()
  return octets
}

/** The record's content, in a record for each octet. What follows the first record stays as it is. */
function inRecordsOfOneOctet(octets: Buffer): Buffer {
  const end = 5 + octets.readUInt16BE(3)
  const records = Array.from(octets.subarray(5, end), (octet) => Buffer.from([22, 3, 1, 0, 1, octet]))
  return Buffer.concat([...records, octets.subarray(end)])
}

/**
 * Passes on what a client sends first in those pieces, and everything else as it comes, once `meanwhile` is over.
 */
async function startRelay(
  to: number,
  split: (octets: Buffer) => Buffer[],
  meanwhile: () => Promise<void> = async () => {},
): Promise<number> {
  const relay = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: to, host: '127.0.0.1', noDelay: true })
    client.on('error', () => server.destroy()).on('close', () => server.destroy())
    server.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.once('data', async (octets: Buffer) => {
      client.pause()
      for (const piece of split(octets))
        await new Promise<void>((resolve) => server.write(piece, () => resolve()))
      await once(server, 'readable')
      await meanwhile()
      server.pipe(client)
      client.pipe(server)
    })
  })
  return listenForTest(relay)
}

async function residentBytes({ program }: Serve): Promise<number> {
  const status = await readFile(`/proc/${program.child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * KIBIBYTE
}
