import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import { answerOk, answerWith, type Script } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'
import { startBlackHole } from './black-hole.ts'
import { expectHealthy, get, openScene, receive, send } from './scene.ts'
import { secure } from './secure.ts'

/*
 * A service whose name has two addresses, of which the first accepts connections, and TLS fails there: it was left behind by
 * a move, or its program died behind a balancer. Every request failed, for ever.
 */

const BROKEN = '127.0.0.2'
const GOOD = '127.0.0.1'
let listed = [BROKEN, GOOD]
const USED_UP = answerWith('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')

vi.mock('node:dns', async (original) => ({
  ...(await original<typeof import('node:dns')>()),
  lookup: (_name: string, _options: unknown, answer: (fault: null, found: unknown) => void) =>
    setImmediate(
      answer,
      null,
      listed.map((address) => ({ address, family: 4 })),
    ),
}))

it.each<[string, (socket: Socket) => void, most: number]>([
  ['closes the connection', (socket) => void socket.end(), 1],
  ['resets it', (socket) => void socket.resetAndDestroy(), 5],
  ['does not speak TLS', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 1],
])('no request fails if the first address %s', async (_what, onConnection, most) => {
  const { scene, accepted } = await openTwo(onConnection)
  for (let asked = 0; asked < 5; asked += 1) await expectHealthy(scene)
  for (let asked = 0; asked < 5; asked += 1)
    expect(await receive(await scene.ask(get()))).toMatchObject({ status: 200 })
  expect(accepted()).toBeLessThanOrEqual(most)
})

it('one that never answers the handshake is asked once, and no request fails', async () => {
  const { scene, accepted } = await openTwo(() => {}, { timeouts: { connect: '2s' } })
  for (let asked = 0; asked < 5; asked += 1) await expectHealthy(scene)
  expect(accepted()).toBe(1)
})

it('nor does one fail for two of three that never answer it', async () => {
  list(BROKEN, '127.0.0.3', GOOD)
  const { scene } = await openTwo(() => {}, { timeouts: { connect: '2s' } })
  await listenForTest(createServer(), scene.upstream.port, '127.0.0.3')
  await expectHealthy(scene)
})

// What terminates TLS still runs there, and nothing is behind it.
it.each<[string, status: number, (socket: Socket) => void, request?: string]>([
  ['closes the connection', 200, (socket) => void socket.end()],
  ['resets it', 200, (socket) => void socket.destroy()],
  ['closes it on a POST', 502, (socket) => void socket.end(), send('POST', 'abc')],
  ['does not speak HTTP', 502, (socket) => void socket.end('220 mail.example ESMTP\r\n')],
  ['is silent', 504, () => {}],
])(
  'the first address %s after the handshake: the first request gets %d, and no other fails',
  async (_what, status, onRequest, request = get()) => {
    const tls = secure('service').upstream?.tls
    const config = status === 504 ? { timeouts: { headers: '300ms' } } : {}
    const { scene, accepted } = await openTwo((socket) => {
      const secured = new TLSSocket(socket, { isServer: true, ...tls }).on('error', () => {})
      secured.once('data', () => onRequest(secured))
    }, config)
    expect(await receive(await scene.ask(request))).toMatchObject({ status })
    for (let asked = 0; asked < 5; asked += 1) await expectHealthy(scene)
    expect(accepted()).toBe(1)
  },
)

it('of many GETs at once none fails if the first address closes connections after the handshake', async () => {
  const { scene } = await openTwo(closeAfterHandshake())
  const clients = await Promise.all(Array.from({ length: 10 }, () => scene.ask(get())))
  const received = await Promise.all(clients.map((client) => receive(client)))
  expect(received.map(({ status }) => status)).toEqual(clients.map(() => 200))
})

it('a GET is sent once more, not more often, where every address closes connections', async () => {
  const { scene, accepted } = await openTwo(closeAfterHandshake(), {}, 'service', (_request, socket) =>
    socket.destroy(),
  )
  expect(await receive(await scene.ask(get()))).toMatchObject({ status: 502, code: 'upstream-reset' })
  expect([accepted(), scene.seen()]).toEqual([1, 1])
})

describe('after a reload', () => {
  it('none fails for it again', async () => {
    const { scene, config } = await openLeftBehind()
    await scene.proxy.reload(config)
    // A POST, which is not sent twice.
    expect(await receive(await scene.ask(send('POST', 'abc')))).toMatchObject({ status: 200 })
  })

  it('of another service, that address is the first again', async () => {
    const { scene } = await openLeftBehind()
    const asked: (string | undefined)[] = []
    const open = (address: string, port?: number) => {
      const other = createServer((socket) => {
        asked.push(socket.localAddress)
        socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      })
      return listenForTest(other, port, address)
    }
    const port = await open(BROKEN)
    await open(GOOD, port)
    await scene.proxy.reload({ service: { url: `http://localhost:${port}` } })
    expect(await receive(await scene.ask(get()))).toMatchObject({ status: 200 })
    expect(asked).toEqual([BROKEN])
  })
})

it.each([
  ['closes', (socket: Socket) => void socket.end()],
  ['resets', (socket: Socket) => void socket.on('data', () => socket.resetAndDestroy())],
])('nor does one of many at once: the first address %s connections', async (_what, onConnection) => {
  const { scene } = await openTwo(onConnection)
  const clients = await Promise.all(Array.from({ length: 30 }, () => scene.ask(get())))
  const received = await Promise.all(clients.map((client) => receive(client)))
  expect(received.map(({ status }) => status)).toEqual(clients.map(() => 200))
})

it('where all fail, each request tries both', async () => {
  const { scene, accepted } = await openTwo((socket) => void socket.end(), {}, 'self-signed')
  for (let asked = 0; asked < 4; asked += 1)
    expect(await receive(await scene.ask(get()))).toMatchObject({ status: 502 })
  expect(accepted()).toBe(4)
})

it('where the other refuses connections, each request ends with the failure of the first', async () => {
  const { scene, accepted } = await openTwo((socket) => void socket.end())
  await scene.upstream.close()
  for (let asked = 0; asked < 3; asked += 1)
    expect(await receive(await scene.ask(get()))).toMatchObject({ status: 502 })
  // Once more after the other has refused.
  expect(accepted()).toBe(6)
})

// As where a packet was lost, and this host has no IPv6.
it('an address that is slow to accept is waited for, where the other refuses connections', async () => {
  const slow = await startBlackHole()
  onTestFinished(() => slow.close())
  const { port } = new URL(slow.origin)
  list(GOOD, BROKEN)
  const scene = await openScene(answerOk, { serviceUrl: () => `http://localhost:${port}` })
  const client = await scene.ask(get())
  await until(() => scene.proxy.proxy.traffic.inFlight === 1)
  slow.release()
  expect(await receive(client)).toMatchObject({ status: 200 })
})

// It has answered, and closes before the next request is written to it.
it('an address is not left for a connection that was used before', async () => {
  list(GOOD, BROKEN)
  let turns = 0
  const answerThenReset: Script = (_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    const wait = (left: number) => (left === 0 ? socket.resetAndDestroy() : setImmediate(wait, left - 1))
    turns = (turns + 1) % 8
    wait(turns)
  }
  let accepted = 0
  const other = createServer((socket) => {
    accepted += 1
    socket.destroy()
  })
  const config = { limits: { upstreamConnections: 1 } }
  const serviceUrl = ({ port }: { port: number }) => `http://localhost:${port}`
  const scene = await openScene(answerThenReset, { config, serviceUrl })
  await listenForTest(other, scene.upstream.port, BROKEN)
  const clients = await Promise.all(Array.from({ length: 4 }, () => scene.ask('')))
  for (let round = 0; round < 40; round += 1) {
    for (const client of clients) client.write(get())
    for (const client of clients) await client.response()
  }
  expect(accepted).toBe(0)
})

/** A request has failed at the first address, since nothing answers behind its TLS. */
async function openLeftBehind() {
  const { scene } = await openTwo(closeAfterHandshake())
  expect(await receive(await scene.ask(send('POST', 'abc')))).toMatchObject({ status: 502 })
  return { scene, config: secure('service').config ?? {} }
}

function closeAfterHandshake(): (socket: Socket) => void {
  const tls = secure('service').upstream?.tls
  return (socket) => {
    const secured = new TLSSocket(socket, { isServer: true, ...tls }).on('error', () => {})
    secured.once('data', () => void socket.end())
  }
}

function list(...addresses: string[]): void {
  listed = addresses
  onTestFinished(() => {
    listed = [BROKEN, GOOD]
  })
}

async function openTwo(
  onConnection: (socket: Socket) => void,
  config = {},
  name = 'service',
  script = USED_UP,
) {
  const options = secure(name)
  const scene = await openScene(script, { ...options, config: { ...options.config, ...config } })
  let accepted = 0
  const sockets: Socket[] = []
  const broken = createServer((socket) => {
    accepted += 1
    sockets.push(socket.on('error', () => {}))
    onConnection(socket)
  })
  await once(broken.listen(scene.upstream.port, BROKEN), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    broken.close()
  })
  return { scene, accepted: () => accepted }
}
