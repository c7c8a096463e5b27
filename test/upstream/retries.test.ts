import { createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import { answerOk, type Script } from '../support/recording-upstream.ts'
import { expectAnswer, statusOf } from '../support/stage.ts'
import { writeThen } from './fault.ts'
import { expectHealthy, get, openScene, PATH, receive, type SceneOptions, send } from './scene.ts'
import { secure } from './secure.ts'

const ENDINGS = ['fin', 'rst'] as const

/** Answers the first request of each of the first `count` connections and drops that connection at the next. */
function stale(count: number, drop: Script): Script {
  return (request, socket) => {
    const isStale = request.connection < count && request.turn > 0
    return (isStale ? drop : answerOk)(request, socket)
  }
}

/** A client whose second request goes out on a connection that the service then drops. */
async function askStale(drop: Script, request = get(), options?: SceneOptions) {
  const scene = await openScene(stale(1, drop), options)
  const client = await scene.ask(get())
  await client.response()
  client.write(request)
  return { scene, client }
}

describe.each(ENDINGS)('a kept connection that the service closes as it is reused (%s)', (ending) => {
  const drop = writeThen('', ending)

  it.each([
    ['GET', get()],
    ['HEAD', get({ method: 'HEAD' })],
    ['OPTIONS', get({ method: 'OPTIONS' })],
    ['GET with Content-Length: 0', get({ lines: 'Content-Length: 0\r\n' })],
  ])('%s is sent once more', async (_name, request) => {
    const { scene, client } = await askStale(drop, request)
    const answer = await client.response(request.slice(0, request.indexOf(' ')))
    expect(statusOf(answer)).toBe(200)
    await scene.proxy.recorded(2)
    expect(scene.proxy.records[1]?.outcome).toBe('ok')
    expect(scene.seen()).toBe(3)
    const [, lost, again] = scene.upstream.requests
    expect(again?.octets).toBe(lost?.octets)
    expect(again?.connection).toBe(1)
    await expectHealthy(scene, client)
  })

  it.each([
    ['POST', send('POST', 'abc')],
    ['POST without a body', get({ method: 'POST' })],
    ['PUT', send('PUT', 'abc')],
    ['PATCH', send('PATCH', 'abc')],
    ['DELETE', get({ method: 'DELETE' })],
    ['GET with a body', send('GET', 'abc')],
    ['GET with a chunked body', `${get({ lines: 'Transfer-Encoding: chunked\r\n' })}3\r\nabc\r\n0\r\n\r\n`],
    ['OPTIONS with a body', send('OPTIONS', 'abc')],
  ])('%s is not', async (_name, request) => {
    const { scene, client } = await askStale(drop, request)
    await expectAnswer(client, 502, 'upstream-reset')
    await scene.proxy.recorded(2)
    expect(scene.proxy.records[1]?.outcome).toBe('upstream-reset')
    expect(scene.seen()).toBe(2)
    await expectHealthy(scene, client)
  })

  it.each([
    ['one octet of a response', 'H'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['an informational head', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('GET is not after %s', async (_name, octets) => {
    const { scene, client } = await askStale(writeThen(octets, ending))
    await expectAnswer(client, 502, 'upstream-truncated')
    expect(scene.seen()).toBe(2)
    await expectHealthy(scene, client)
  })

  it('GET is not after the head', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'
    const { scene, client } = await askStale(writeThen(head, ending))
    expect(await receive(client)).toMatchObject({ status: 200, end: 'broken' })
    expect(scene.seen()).toBe(2)
    await expectHealthy(scene)
  })

  it('GET is not on a fresh connection', async () => {
    const scene = await openScene(drop)
    const client = await scene.ask(get())
    await expectAnswer(client, 502, 'upstream-reset')
    expect(scene.seen()).toBe(1)
    await expectHealthy(scene, client)
  })

  it('GET then goes to a new connection, not to another kept one', async () => {
    const held: (() => void)[] = []
    const scene = await openScene((request, socket) => {
      if (request.turn > 0) drop(request, socket)
      else if (request.connection > 1) answerOk(request, socket)
      else held.push(() => answerOk(request, socket))
    })
    // Two connections that have both been used once.
    const clients = [await scene.ask(get()), await scene.ask(get())]
    await scene.upstream.arrived(2)
    for (const answer of held) answer()
    for (const client of clients) await client.response()
    const [client] = clients
    client?.write(get())
    const answer = await client?.response()
    expect(answer && statusOf(answer)).toBe(200)
    expect(scene.upstream.requests.slice(2).map(({ connection, turn }) => [connection, turn])).toEqual([
      [expect.any(Number), 1],
      [2, 0],
    ])
    await expectHealthy(scene)
  })

  it('GET whose second connection is refused is a 502', async () => {
    const { scene, client } = await askStale(drop, get(), {
      upstream: { onConnection: (socket, index) => void (index === 1 && socket.resetAndDestroy()) },
    })
    await expectAnswer(client, 502, 'upstream-reset')
    expect(scene.seen()).toBe(2)
    await expectHealthy(scene, client)
  })
})

it('a GET that waits for its second connection in vain was not answered late', async () => {
  const { upstream, config } = secure('service')
  let asked = 0
  // The handshake of further connections is never answered.
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (asked > 0) return
    const secured = new TLSSocket(socket, { isServer: true, ...upstream?.tls }).on('error', () => {})
    secured.on('data', () => {
      asked += 1
      if (asked === 1) secured.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      else secured.end()
    })
  })
  const port = await listenForTest(server)
  const { ask } = await openScene(undefined, {
    serviceUrl: () => `https://localhost:${port}`,
    config: { ...config, timeouts: { connect: '5s', headers: '300ms' } },
  })
  const client = await ask(get())
  await client.response()
  client.write(get())
  await expectAnswer(client, 504, 'upstream-queue-timeout')
})

it('a kept connection that the service closed before is not used', async () => {
  const scene = await openScene()
  const client = await scene.ask(get())
  await client.response()
  scene.upstream.sockets[0]?.end()
  await scene.upstream.closed(0)
  client.write(send('POST', 'abc'))
  expect(statusOf(await client.response())).toBe(200)
  expect(scene.seen()).toBe(2)
})

it('a response of 503 is not retried', async () => {
  const scene = await openScene((_request, socket) => {
    socket.write('HTTP/1.1 503 Later\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n')
  })
  const client = await scene.ask(get())
  expect(statusOf(await client.response())).toBe(503)
  expect(scene.seen()).toBe(1)
})

// undici gives up the requests that wait for a connection, too, when that connection breaks while nothing runs on it.
it.each([
  ['GET', '', ''],
  ['POST', 'Content-Length: 5\r\n', 'abcde'],
])(
  'a %s that waits for a kept connection does not fail with it, and arrives once',
  async (method, lines, body) => {
    const { upstream, ask } = await openScene(
      (request, socket) => {
        if (request.startLine.includes('/next')) return answerOk(request, socket)
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')
        setImmediate(() => setImmediate(() => setImmediate(() => socket.resetAndDestroy())))
      },
      { config: { limits: { upstreamConnections: 1 } } },
    )
    const seen: [status: number, bodies: string[]][] = []
    for (let round = 0; round < 30; round += 1) {
      const first = await ask(get())
      await first.response().catch(() => undefined)
      const second = await ask(get({ method, lines }).replace(PATH, `${PATH}next${round}`) + body)
      const status = statusOf(await second.response())
      const arrived = upstream.requests.filter(({ startLine }) => startLine.includes(`/next${round} `))
      seen.push([status, arrived.map(({ body }) => body)])
    }
    // One that was written when the reset came is safe to repeat or answered 502; what a body came with is never repeated.
    const whole = [200, [body]]
    expect(seen.filter(([status]) => status !== 502)).toEqual(
      seen.flatMap(([status]) => (status === 502 ? [] : [whole])),
    )
    expect(
      seen.filter(([status, bodies]) => status === 502 && (method === 'GET' || bodies.length > 1)),
    ).toEqual([])
  },
)
