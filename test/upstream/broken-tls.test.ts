/*
 * What comes within an established TLS connection can't be decrypted, or is an alert in plain text. For Node that is an error of the socket.
 */

import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import { expectHealthy, get, openScene, receive, type Scene } from './scene.ts'
import { secure } from './secure.ts'

const FAULTS: readonly (readonly [string, Buffer])[] = [
  [
    'a record that can’t be decrypted',
    Buffer.concat([Buffer.from([0x17, 3, 3, 0, 60]), Buffer.alloc(60, 9)]),
  ],
  ['an alert in plain text', Buffer.from([0x15, 3, 3, 0, 2, 2, 40])],
]

describe.each(FAULTS)('%s', (_what, octets) => {
  it('before the head of a response becomes a 502', async () => {
    const { scene, send } = await openRelayed(octets, () => send())
    const client = await scene.ask(get())
    expect(await receive(client)).toMatchObject({ status: 502, code: 'upstream-tls' })
    await expectHealthy(scene)
  })

  it.each([
    ['of known length', 'Content-Length: 10'],
    ['in chunks', 'Transfer-Encoding: chunked'],
    ['that ends with its connection', 'Connection: close'],
  ])('in a response %s breaks the client’s connection', async (_framing, line) => {
    const { scene, send } = await openRelayed(octets, (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`),
    )
    const client = await scene.ask(get())
    await client.received('200 OK')
    send()
    expect(await receive(client)).toMatchObject({ status: 200, end: 'broken' })
    await expectHealthy(scene)
    expect(scene.proxy.records[0]).toMatchObject({ status: 200, outcome: 'upstream-tls' })
  })

  it('on an idle connection closes it', async () => {
    const { scene, send } = await openRelayed(octets)
    await expectHealthy(scene)
    send()
    await scene.upstream.closed(0)
    await expectHealthy(scene)
  })
})

/** `send` writes the octets to the proxy, past the TLS of the service. */
async function openRelayed(
  octets: Buffer,
  script?: (socket: Socket) => void,
): Promise<{ readonly scene: Scene; readonly send: () => void }> {
  let port = 0
  const sockets: Socket[] = []
  const relay = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    sockets.push(near)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const)
      socket
        .on('error', () => {})
        .on('close', () => other.destroy())
        .pipe(other)
  })
  const relayPort = await listenForTest(relay)
  const scene = await openScene(script && ((_request, socket) => script(socket)), {
    ...secure('service'),
    serviceUrl: (upstream) => {
      port = upstream.port
      return `https://localhost:${relayPort}`
    },
  })
  return { scene, send: () => void sockets[0]?.write(octets) }
}
