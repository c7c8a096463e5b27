import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { statusOf } from '../support/stage.ts'
import { turns } from '../support/until.ts'
import { get, openScene, type Scene } from './scene.ts'

const HEAD = get({ method: 'POST', lines: 'Content-Length: 3\r\n' })

it('a request whose body has not begun takes no connection', async () => {
  const scene = await openScene()
  const late = await scene.ask(HEAD)
  const other = await scene.ask(get())
  expect(statusOf(await other.response())).toBe(200)
  expect(scene.upstream.sockets).toHaveLength(1)
  late.write('abc')
  expect(statusOf(await late.response())).toBe(200)
  expect(scene.upstream.requests[1]?.octets).toMatch(/\r\n\r\nabc$/)
})

it.each([
  ['a length', HEAD, 'abc'],
  ['chunks', get({ method: 'POST', lines: 'Transfer-Encoding: chunked\r\n' }), '0\r\n\r\n'],
])(
  'one whose body, with %s, begins after the service has closed is sent on a new connection',
  async (_name, head, body) => {
    const scene = await openScene()
    const late = await scene.ask(get())
    await late.response()
    late.write(head)
    await taken(scene)
    scene.upstream.sockets[0]?.end()
    await scene.upstream.closed(0)
    late.write(body)
    expect(statusOf(await late.response())).toBe(200)
    expect(scene.upstream.requests.map(({ connection }) => connection)).toEqual([0, 1])
  },
)

it('an unrequested response does not answer a request whose body has not begun', async () => {
  const scene = await openScene()
  const late = await scene.ask(get())
  await late.response()
  late.write(HEAD)
  await taken(scene)
  scene.upstream.sockets[0]?.write(STRAY)
  await scene.upstream.closed(0)
  late.write('abc')
  const answer = await late.response()
  expect([statusOf(answer), answer.body]).toEqual([200, 'ok'])
})

it('a client that leaves in the middle of its next request has left', async () => {
  const scene = await openScene(() => {})
  const client = await scene.ask(get())
  await scene.upstream.arrived(1)
  client.write('G')
  client.socket.end()
  await scene.upstream.closed(0)
  await scene.proxy.recorded(1)
  expect(scene.proxy.records[0]?.outcome).toBe('client-abort')
  expect(scene.proxy.proxy.traffic.inFlight).toBe(0)
})

/** The proxy has the head, and had time to do something with it. */
async function taken(scene: Scene): Promise<void> {
  while (scene.proxy.proxy.traffic.inFlight === 0) await setImmediate()
  await turns(20)
}

const STRAY = 'HTTP/1.1 200 OK\r\nSet-Cookie: sid=stranger\r\nContent-Length: 5\r\n\r\nstray'
