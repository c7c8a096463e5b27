import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerOctets, octetsWithTail, takenWhole } from '../proxy/tail.ts'
import { listenTls, pemOf } from '../support/certificates/certificate.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { pointRequest } from '../support/served.ts'
import { openStage } from '../support/stage.ts'
import { type RunningProxy, startProxy } from '../support/start-proxy.ts'
import { turns } from '../support/until.ts'

afterEach(() => {
  vi.useRealTimers()
})

const overTls = { listen: { tls: listenTls('service') } }

describe('a drain', () => {
  // Node calls a connection idle whose answer is complete, be it sent or not; the tail of a slow reader's was lost.
  it('leaves the end of a response to a client that reads slowly', async () => {
    const octets = await octetsWithTail(pointRequest(''))
    const { upstream, proxy } = await openForTest(openStage({}, answerOctets(octets)))
    const client = await openForTest(openClient(proxy.port))
    client.socket.pause()
    client.write(pointRequest(''))
    await upstream.arrived(1)
    await takenWhole(upstream, client)
    const drained = drain(proxy)
    await turns()
    client.socket.resume()
    expect((await client.response()).body).toHaveLength(octets)
    await drained
    expect(proxy.records.map(({ outcome }) => outcome)).toEqual(['ok'])
  })

  it.each([
    ['while it is idle', 0],
    ['while each turn of its event loop takes longer than a look at the backlog', 15],
  ])('%s answers those who had connected before it', async (_when, turnMs) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { proxy } = await openForTest(openStage())
    // The kernel connects them; Node has accepted none yet.
    const clients = Array.from({ length: 20 }, () => openClient(proxy.port))
    let isBusy = turnMs > 0
    const takeTurn = () => {
      if (!isBusy) return
      for (const from = Date.now(); Date.now() < from + turnMs; );
      vi.advanceTimersByTime(1_000)
      setImmediate(takeTurn)
    }
    takeTurn()
    const drained = proxy.listener.drain()
    const answers = clients.map(async (opening) => {
      const client = await opening
      client.write(pointRequest('x'))
      const { startLine } = await client.response()
      client.close()
      return startLine
    })
    const answered = Promise.all(answers).finally(() => {
      isBusy = false
    })
    expect(await answered).toEqual(Array(20).fill('HTTP/1.1 200 OK'))
    await drained
  })

  it.each<[string, boolean, (port: number) => Promise<Socket>]>([
    ['over plain http', false, connected],
    ['before its TLS handshake', true, connected],
    [
      'after its TLS handshake',
      true,
      async (port) => {
        const ca = pemOf('authority.cert')
        return opened(connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost' }), 'secureConnect')
      },
    ],
  ])('does not wait for a silent connection, %s', async (_what, isTls, open) => {
    const { proxy } = await openForTest(openStage(isTls ? overTls : {}))
    const silent = await open(proxy.port)
    silent.on('error', () => {})
    const closed = new Promise((resolve) => silent.once('close', resolve))
    silent.resume()
    await turns()
    await drain(proxy)
    await closed
  })
})

it('a connection that never finishes its TLS handshake does not outlive a hard stop', async () => {
  const upstream = await openForTest(startUpstream())
  const proxy = await startProxy(upstream.origin, overTls)
  const silent = await connected(proxy.port)
  const closed = new Promise((resolve) => silent.once('close', resolve))
  await proxy.close()
  expect(await closed).toBe(false)
})

/** Drains, while time for its looks at idle connections passes fast. */
async function drain(proxy: RunningProxy): Promise<void> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  proxy.proxy.traffic.state = 'draining'
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
