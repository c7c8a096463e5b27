import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient } from '../support/raw-client.ts'
import { POINT_HOST, startProxy } from '../support/start-proxy.ts'
import { until } from '../support/until.ts'
import { get, PATH } from './scene.ts'

const LENGTH = 32 * 1024 * 1024
const PIECE = Buffer.alloc(64 * 1024, 'x')

describe('bodies are read only as fast as they can be passed on', () => {
  it.each([
    ['Content-Length', `HTTP/1.1 200 OK\r\nContent-Length: ${LENGTH}\r\n\r\n`],
    ['close-delimited', 'HTTP/1.1 200 OK\r\n\r\n'],
  ])('to a client that does not read, %s', async (_name, head) => {
    const service = await startRawService((socket) => {
      socket.once('data', () => {
        socket.write(head)
        pump(socket)
      })
    })
    const stuck = await service.open()
    stuck.socket.pause()
    stuck.write(get({ version: '1.0' }))
    await until(() => service.sockets.length > 0)
    // The yardstick: another client gets as much in the meantime, one that began later.
    const other = await service.open()
    other.write(get({ version: '1.0' }))
    await other.ended()
    expect(other.socket.bytesRead).toBeGreaterThan(LENGTH)
    const [socket] = service.sockets
    expect(socket?.writableLength).toBeGreaterThan(0)
    expect(socket?.bytesWritten).toBeLessThan(LENGTH)
    stuck.socket.resume()
    await stuck.ended()
    expect(stuck.socket.bytesRead - stuck.pending().indexOf('\r\n\r\n') - 4).toBe(LENGTH)
  })

  it.each([
    ['Content-Length', `Content-Length: ${LENGTH}\r\n\r\n`, ''],
    ['chunked', `Transfer-Encoding: chunked\r\n\r\n${LENGTH.toString(16)}\r\n`, '\r\n0\r\n\r\n'],
  ])('to a service that does not read, %s', async (_name, head, tail) => {
    const service = await startRawService((socket, index) => {
      if (index === 0) socket.pause()
      let octets = 0
      socket.on('data', (chunk) => {
        octets += chunk.length
        if (octets > LENGTH) socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      })
    })
    const stuck = await service.open()
    const request = `POST ${PATH} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n${head}`
    stuck.write(request)
    pump(stuck.socket, tail)
    await until(() => service.sockets.length > 0)
    const other = await service.open()
    other.write(request)
    pump(other.socket, tail)
    await other.received('HTTP/1.1 200 OK')
    expect(stuck.socket.writableLength).toBeGreaterThan(0)
    expect(stuck.socket.bytesWritten).toBeLessThan(LENGTH)
    service.sockets[0]?.resume()
    await stuck.received('HTTP/1.1 200 OK')
  })
})

/** A proxy before a service that keeps no record: a record of this size would take longer than the test. */
async function startRawService(onSocket: (socket: Socket, index: number) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onSocket(socket, sockets.push(socket) - 1)
  })
  const proxy = await openForTest(startProxy(`http://127.0.0.1:${await listenForTest(server)}`))
  const open = () => openForTest(openClient(proxy.port))
  return { open, sockets }
}

/** Writes `LENGTH` octets as fast as they are read, then `tail`; a service without a tail closes the connection. */
function pump(socket: Socket, tail?: string): void {
  let left = LENGTH
  const more = () => {
    while (left > 0) {
      left -= PIECE.length
      if (!socket.write(PIECE)) return void socket.once('drain', more)
    }
    if (tail === undefined) socket.end()
    else if (tail !== '') socket.write(tail)
  }
  more()
}
