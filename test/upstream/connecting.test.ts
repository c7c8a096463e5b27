import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { freePort } from '../front-ends/support/real-server.ts'
import { listenForTest } from '../support/listen.ts'
import type { RecordingUpstream } from '../support/recording-upstream.ts'
import { codeOf, expectAnswer, statusOf } from '../support/stage.ts'
import { startBlackHole } from './black-hole.ts'
import { expectFault } from './fault.ts'
import { expectHealthy, get, openScene, type SceneOptions, send } from './scene.ts'
import { secure } from './secure.ts'

const SHORT = { timeouts: { connect: '200ms' } }

describe('a service that can’t be reached', () => {
  const resetting = { onConnection: (socket: Socket) => void socket.resetAndDestroy() }
  const closing = { onConnection: (socket: Socket) => void socket.destroy() }

  const bare = ({ port }: RecordingUpstream) => `https://127.0.0.1:${port}`
  const old = (version: 'TLSv1' | 'TLSv1.1') =>
    secure('service', 'trusted', { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' })
  const asking = { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' } as const
  const plain = (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')

  it.each<[name: string, options: SceneOptions, status: number, code: string]>([
    ['no such name', { serviceUrl: () => 'https://something.invalid' }, 502, 'upstream-dns'],
    ['closes every connection', { upstream: closing }, 502, 'upstream-reset'],
    ['resets every connection', { upstream: resetting }, 502, 'upstream-reset'],
    ['self-signed', secure('self-signed'), 502, 'upstream-tls'],
    ['an unknown authority', secure('service', 'untrusted'), 502, 'upstream-tls'],
    ['another name', secure('other-name'), 502, 'upstream-tls'],
    ['expired', secure('expired'), 502, 'upstream-tls'],
    ['TLS 1.0 only', old('TLSv1'), 502, 'upstream-tls'],
    ['TLS 1.1 only', old('TLSv1.1'), 502, 'upstream-tls'],
    ['asks for a client certificate', secure('service', 'trusted', asking), 502, 'upstream-tls'],
    [
      'speaks plain http where https is expected',
      { serviceUrl: ({ port }) => `https://localhost:${port}`, upstream: { onConnection: plain } },
      502,
      'upstream-tls',
    ],
    ['closes during the handshake', { serviceUrl: bare, upstream: closing }, 502, 'upstream-reset'],
    ['resets during the handshake', { serviceUrl: bare, upstream: resetting }, 502, 'upstream-reset'],
    [
      'says nothing during the handshake',
      { serviceUrl: bare, config: SHORT },
      504,
      'upstream-connect-timeout',
    ],
  ])('%s', async (_name, options, status, code) => {
    const scene = await openScene(undefined, options)
    const client = await scene.ask('')
    for (const request of [get(), send('POST', 'abc'), get()]) {
      client.write(request)
      await expectAnswer(client, status, code)
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
    await expectAnswer(client, 502, 'upstream-refused')
    const late = createServer((socket) => {
      socket.on('data', () => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
    })
    await listenForTest(late, port)
    await expectHealthy(scene, client)
  })

  it('does not complete the connection', async () => {
    const blackHole = await startBlackHole()
    const scene = await openScene(undefined, { serviceUrl: () => blackHole.origin, config: SHORT })
    const client = await scene.ask(get())
    const answer = await client.response()
    await blackHole.close()
    expect([statusOf(answer), codeOf(answer)]).toEqual([504, 'upstream-connect-timeout'])
  })

  it.each([
    ['closes', 'destroy'],
    ['resets', 'resetAndDestroy'],
  ] as const)('%s the first connection, and recovers', (name, end) =>
    expectFault({
      name,
      upstream: { onConnection: (socket, index) => void (index === 0 && socket[end]()) },
      status: 502,
      code: 'upstream-reset',
      seen: 0,
    }),
  )
})

describe('a service with a certificate of service.ca', () => {
  it.each([
    ['by name, with SNI', 'localhost', 'localhost'],
    ['by address, without SNI', '127.0.0.1', false],
  ])('is connected to %s', async (_name, host, servername) => {
    const serviceUrl = ({ port }: RecordingUpstream) => `https://${host}:${port}`
    const scene = await openScene(undefined, { ...secure('service'), serviceUrl })
    const client = await scene.ask('')
    await expectHealthy(scene, client)
    const [socket] = scene.upstream.sockets
    expect(socket instanceof TLSSocket && socket.servername).toBe(servername)
    expect(scene.upstream.sockets).toHaveLength(1)
  })
})
