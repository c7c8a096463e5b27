import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { answerOk, type Script } from '../support/recording-upstream.ts'
import { expectAnswer, statusOf } from '../support/stage.ts'
import { expectHealthy, get, openScene, send } from './scene.ts'

/** A script that answers when it is told to. */
function holding() {
  const held: (() => void)[] = []
  const script: Script = (request, socket) => void held.push(() => answerOk(request, socket))
  return { script, release: (index: number) => held[index]?.() }
}

it('requests beyond the connections wait their turn and are answered', async () => {
  const { script, release } = holding()
  const scene = await openScene(script, { config: { limits: { upstreamConnections: 2 } } })
  const clients = []
  for (let i = 0; i < 8; i += 1) clients.push(await scene.ask(i % 2 === 0 ? get() : send('POST', 'abc')))
  for (let i = 0; i < 8; i += 1) {
    await scene.upstream.arrived(i + 1)
    expect(scene.seen()).toBeLessThanOrEqual(i + 2)
    release(i)
  }
  for (const client of clients) expect(statusOf(await client.response())).toBe(200)
  expect(scene.upstream.sockets).toHaveLength(2)
  await scene.proxy.recorded(8)
  expect(new Set(scene.proxy.records.map(({ outcome }) => outcome))).toEqual(new Set(['ok']))
})

it('a request that waits too long is a 504, and the service never sees it', async () => {
  const { script, release } = holding()
  const scene = await openScene(script, {
    config: { limits: { upstreamConnections: 1 }, timeouts: { headers: '300ms' } },
  })
  const first = await scene.ask(get())
  await scene.upstream.arrived(1)
  // The head of the first answer is out, so that only the second request waits for something.
  scene.upstream.sockets[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n')
  await first.received('\r\n\r\n')
  const second = await scene.ask(send('POST', 'abc'))
  await expectAnswer(second, 504, 'upstream-queue-timeout')
  scene.upstream.sockets[0]?.write('x'.repeat(40))
  await first.response()
  await expectHealthy(scene, second)
  expect(scene.seen()).toBe(1)
  expect(scene.upstream.sockets).toHaveLength(1)
  release(0)
})

it('responses in a different order each reach their own client', async () => {
  const waiting = new Map<string, () => void>()
  const scene = await openScene((request, socket) => {
    const [, name = ''] = /\?([0-9]+) /.exec(request.startLine) ?? []
    waiting.set(name, () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${name.length}\r\n\r\n${name}`))
  })
  const names = Array.from({ length: 20 }, (_, i) => String(i * 7_919))
  const clients = []
  for (const name of names) clients.push(await scene.ask(get().replace(' HTTP', `?${name} HTTP`)))
  await scene.upstream.arrived(20)
  for (const name of [...names].reverse()) waiting.get(name)?.()
  for (const [i, client] of clients.entries()) expect((await client.response()).body).toBe(names[i])
})

it('a service that fails all of them frees every place', async () => {
  const scene = await openScene((_request, socket) => void socket.resetAndDestroy(), {
    config: { limits: { upstreamConnections: 2 } },
  })
  const clients = []
  for (let i = 0; i < 20; i += 1) clients.push(await scene.ask(get()))
  for (const client of clients) expect(statusOf(await client.response())).toBe(502)
  await expectHealthy(scene, clients[0])
  expect(scene.proxy.proxy.traffic.inFlight).toBe(0)
})

it('octets that trickle in do not prolong the wait for a connection', async () => {
  const scene = await openScene(() => {}, {
    config: {
      limits: { upstreamConnections: 1 },
      timeouts: { connect: '200ms', headers: '300ms', idle: '20s' },
    },
  })
  const holder = await scene.ask(get())
  await scene.upstream.arrived(1)
  scene.upstream.sockets[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n')
  await holder.received('\r\n\r\n')
  const slow = await scene.ask(get({ method: 'POST', lines: 'Content-Length: 100000\r\n' }))
  for (let sent = 0; slow.pending() === '' && sent < 3_000; sent += 1) {
    slow.write('x')
    await setTimeout(5)
  }
  await expectAnswer(slow, 504, 'upstream-queue-timeout')
  await scene.proxy.recorded(1)
  expect(scene.proxy.records[0]?.requestOctets).toBeLessThan(3_000)
})
