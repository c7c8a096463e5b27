import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { type RunningProxy, startProxy } from '../support/start-proxy.ts'
import { answerOctets, octetsWithTail, takenWhole, turns } from './tail.ts'

afterEach(() => {
  vi.useRealTimers()
})

const certificate = (name: string) =>
  readFile(new URL(`../support/certificates/${name}.pem`, import.meta.url), 'utf8')

describe('a drain', () => {
  // Node calls a connection idle whose answer is complete, be it sent or not; the tail of a slow reader's was lost.
  it('leaves the tail of an answer to a client that reads slowly', async () => {
    const get = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n'
    const octets = await octetsWithTail(get)
    const upstream = await startUpstream(answerOctets(octets))
    const proxy = await startProxy(upstream.origin)
    onTestFinished(async () => {
      await proxy.close()
      await upstream.close()
    })
    const client = await openClient(proxy.port)
    client.socket.pause()
    client.write(get)
    await upstream.arrived(1)
    await takenWhole(upstream, client)
    const drained = drain(proxy)
    await turns()
    client.socket.resume()
    expect((await client.response()).body).toHaveLength(octets)
    client.close()
    await drained
    expect(proxy.records.map(({ outcome }) => outcome)).toEqual(['ok'])
  })

  it.each<[string, boolean, (port: number) => Promise<Socket>]>([
    ['over plain http', false, connected],
    ['before its TLS handshake', true, connected],
    [
      'after its TLS handshake',
      true,
      async (port) => {
        const ca = await certificate('authority.cert')
        return opened(connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost' }), 'secureConnect')
      },
    ],
  ])('does not wait for a connection that says nothing, %s', async (_what, isTls, open) => {
    const upstream = await startUpstream()
    const tls = { cert: await certificate('service.cert'), key: await certificate('service.key') }
    const proxy = await startProxy(upstream.origin, isTls ? { listen: { tls } } : {})
    const silent = await open(proxy.port)
    silent.on('error', () => {})
    const closed = new Promise((resolve) => silent.once('close', resolve))
    silent.resume()
    await turns()
    await drain(proxy)
    await closed
    await proxy.close()
    await upstream.close()
  })
})

/** Drains, while time for its looks at idle connections passes fast. */
async function drain(proxy: RunningProxy): Promise<void> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let isOver = false
  const drained = proxy.listener.drain().then(() => {
    isOver = true
  })
  while (!isOver) {
    vi.advanceTimersByTime(500)
    await turns()
  }
  await drained
}

function connected(port: number): Promise<Socket> {
  return opened(connect(port, '127.0.0.1'), 'connect')
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve(socket)).once('error', reject)
  })
}
