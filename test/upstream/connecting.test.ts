import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { codeOf, statusOf } from '../support/stage.ts'
import { startBlackHole } from './black-hole.ts'
import { expectFault, type Fault } from './fault.ts'
import { expectHealthy, get, openScene, type SceneOptions, send } from './scene.ts'
import { secure } from './secure.ts'

const SHORT = { timeouts: { connect: '200ms' } }

/** A service that can't be reached. */
interface Row extends SceneOptions {
  readonly name: string
  readonly status: number
  readonly code: string
}

describe('a service that can’t be reached', () => {
  const resetting = { onConnection: (socket: Socket) => void socket.resetAndDestroy() }
  const closing = { onConnection: (socket: Socket) => void socket.destroy() }

  it.each<Row>([
    {
      name: 'no such name',
      serviceUrl: () => 'https://something.invalid',
      status: 502,
      code: 'upstream-dns',
    },
    { name: 'closes every connection', upstream: closing, status: 502, code: 'upstream-reset' },
    { name: 'resets every connection', upstream: resetting, status: 502, code: 'upstream-reset' },
    { name: 'self-signed', ...secure('self-signed'), status: 502, code: 'upstream-tls' },
    { name: 'an unknown authority', ...secure('service', 'untrusted'), status: 502, code: 'upstream-tls' },
    { name: 'another name', ...secure('other-name'), status: 502, code: 'upstream-tls' },
    { name: 'expired', ...secure('expired'), status: 502, code: 'upstream-tls' },
    {
      name: 'TLS 1.0 only',
      ...secure('service', 'trusted', { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: WEAK }),
      status: 502,
      code: 'upstream-tls',
    },
    {
      name: 'TLS 1.1 only',
      ...secure('service', 'trusted', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: WEAK }),
      status: 502,
      code: 'upstream-tls',
    },
    {
      name: 'asks for a client certificate',
      ...secure('service', 'trusted', { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
      status: 502,
      code: 'upstream-tls',
    },
    {
      name: 'speaks plain http where https is expected',
      serviceUrl: ({ port }) => `https://localhost:${port}`,
      upstream: { onConnection: (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') },
      status: 502,
      code: 'upstream-tls',
    },
    {
      name: 'closes during the handshake',
      serviceUrl: ({ port }) => `https://127.0.0.1:${port}`,
      upstream: closing,
      status: 502,
      code: 'upstream-reset',
    },
    {
      name: 'resets during the handshake',
      serviceUrl: ({ port }) => `https://127.0.0.1:${port}`,
      upstream: resetting,
      status: 502,
      code: 'upstream-reset',
    },
    {
      name: 'says nothing during the handshake',
      serviceUrl: ({ port }) => `https://127.0.0.1:${port}`,
      config: SHORT,
      status: 504,
      code: 'upstream-connect-timeout',
    },
  ])('$name', async ({ status, code, ...options }) => {
    const scene = await openScene(undefined, options)
    const client = await scene.ask('')
    for (const request of [get(), send('POST', 'abc'), get()]) {
      client.write(request)
      const answer = await client.response()
      expect([statusOf(answer), codeOf(answer)]).toEqual([status, code])
    }
    await scene.proxy.recorded(3)
    expect(scene.proxy.records.map(({ outcome }) => outcome)).toEqual([code, code, code])
    // The log has it: a code or the name of an error, never its message.
    for (const record of scene.proxy.records) expect(record.code).toMatch(/^[\w/]+$/)
    expect(scene.seen()).toBe(0)
  })

  it('refuses the connection, and later accepts it', async () => {
    const port = await freePort()
    const scene = await openScene(undefined, { serviceUrl: () => `http://127.0.0.1:${port}` })
    const client = await scene.ask(get())
    const answer = await client.response()
    expect([statusOf(answer), codeOf(answer)]).toEqual([502, 'upstream-refused'])
    const late = createServer((socket) => {
      socket.on('data', () => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
    })
    await new Promise<void>((resolve) => late.listen(port, '127.0.0.1', resolve))
    await expectHealthy(scene, client)
    await scene.proxy.close()
    await new Promise((resolve) => late.close(resolve))
  })

  it('does not complete the connection', async () => {
    const blackHole = await startBlackHole()
    const scene = await openScene(undefined, { serviceUrl: () => blackHole.origin, config: SHORT })
    const client = await scene.ask(get())
    const answer = await client.response()
    await blackHole.close()
    expect([statusOf(answer), codeOf(answer)]).toEqual([504, 'upstream-connect-timeout'])
  })

  it.each<Fault>([
    {
      name: 'closes the first connection',
      upstream: { onConnection: (socket, index) => void (index === 0 && socket.destroy()) },
      status: 502,
      code: 'upstream-reset',
      seen: 0,
    },
    {
      name: 'resets the first connection',
      upstream: { onConnection: (socket, index) => void (index === 0 && socket.resetAndDestroy()) },
      status: 502,
      code: 'upstream-reset',
      seen: 0,
    },
  ])('$name, and recovers', expectFault)
})

describe('a service with a certificate of service.ca', () => {
  it.each([
    ['by name, with SNI', ({ port }: { port: number }) => `https://localhost:${port}`, 'localhost'],
    ['by address, without SNI', ({ port }: { port: number }) => `https://127.0.0.1:${port}`, false],
  ])('is connected to %s', async (_name, serviceUrl, servername) => {
    const scene = await openScene(undefined, { ...secure('service'), serviceUrl })
    const client = await scene.ask('')
    await expectHealthy(scene, client)
    const [socket] = scene.upstream.sockets
    expect(socket instanceof TLSSocket && socket.servername).toBe(servername)
    expect(scene.upstream.sockets).toHaveLength(1)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

const WEAK = 'ALL:@SECLEVEL=0'
