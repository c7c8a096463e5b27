import { expect, it } from 'vitest'
import { answerOk, answerWith } from '../support/recording-upstream.ts'
import { expectHealthy, get, openScene, receive } from './scene.ts'
import { secure } from './secure.ts'

it.each([
  ['http', {}],
  ['https', secure('service')],
])(
  'a connection to the service is replaced when it is too old, also under traffic: %s',
  async (_scheme, options) => {
    const scene = await openScene(answerOk, {
      ...options,
      config: { ...options.config, timeouts: { connectionAge: '50ms' } },
    })
    const client = await scene.ask('')
    while (scene.upstream.sockets.length < 4) {
      client.write(get())
      expect(await receive(client)).toMatchObject({ status: 200, end: 'whole' })
    }
    // Not for every request, but in time.
    expect(scene.seen()).toBeGreaterThan(4)
    await Promise.all([0, 1, 2].map((index) => scene.upstream.closed(index)))
  },
)

it('one that is too old is closed while it is idle', async () => {
  // It would stay open for a minute.
  const script = answerWith('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=60\r\nContent-Length: 0\r\n\r\n')
  const scene = await openScene(script, { config: { timeouts: { connectionAge: '50ms' } } })
  await receive(await scene.ask(get()))
  await scene.upstream.closed(0)
  await expectHealthy(scene)
})

it('a response that outlasts it is not cut', async () => {
  const scene = await openScene(
    (_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n')
      setTimeout(() => socket.write('hello'), 200)
    },
    { config: { timeouts: { connectionAge: '50ms' } } },
  )
  expect((await receive(await scene.ask(get()))).answer?.body).toBe('hello')
  await scene.upstream.closed(0)
})

it.each([
  ['to the same service', {}],
  ['to another', { service: { url: 'http://127.0.0.1:1' } }],
])('an upload whose body begins after a reload is sent as it was begun: %s', async (_what, changes) => {
  const scene = await openScene(answerOk)
  const client = await scene.ask(
    get({ method: 'POST', lines: 'Content-Length: 5\r\nExpect: 100-continue\r\n' }),
  )
  await client.received('HTTP/1.1 100 Continue')
  await scene.proxy.reload(changes)
  client.write('hello')
  expect(await receive(client)).toMatchObject({ status: 200, end: 'whole' })
  // The connection was only for that.
  await scene.upstream.closed(0)
  await scene.proxy.proxy.close()
})

it('a reload opens new connections, and lets requests in flight end on the old ones', async () => {
  const scene = await openScene((request, socket) => {
    if (request.turn === 0 && request.connection === 0) return answerOk(request, socket)
    if (request.connection > 0) return answerOk(request, socket)
    setTimeout(() => answerOk(request, socket), 100)
  })
  await receive(await scene.ask(get()))
  const slow = await scene.ask(get())
  await scene.upstream.arrived(2)
  await scene.proxy.reload({})
  expect((await receive(await scene.ask(get()))).status).toBe(200)
  expect(scene.upstream.sockets).toHaveLength(2)
  expect((await receive(slow)).status).toBe(200)
  await scene.upstream.closed(0)
})
