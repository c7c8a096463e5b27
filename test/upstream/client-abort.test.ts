import { describe, expect, it } from 'vitest'
import { answerOk, answerWith } from '../support/recording-upstream.ts'
import { expectHealthy, get, openScene, PATH, send } from './scene.ts'

describe('a client that leaves', () => {
  it.each([
    ['GET', get()],
    ['POST', send('POST', 'abc')],
  ])('before the head: the request to the service is aborted, %s', async (_name, request) => {
    const scene = await openScene(() => {})
    const client = await scene.ask(request)
    await scene.upstream.arrived(1)
    client.close()
    await scene.upstream.closed(0)
    await scene.proxy.recorded(1)
    expect(scene.proxy.records[0]).toMatchObject({
      outcome: 'client-abort',
      status: undefined,
      code: 'SERVICE_AWAITED',
    })
    expect(scene.proxy.proxy.traffic.inFlight).toBe(0)
    await expectHealthy(scene)
    expect(scene.seen()).toBe(1)
  })

  it.each([
    ['of known length', send('POST', 'abc').slice(0, -1)],
    ['in chunks', `${get({ method: 'POST', lines: 'Transfer-Encoding: chunked\r\n' })}3\r\nab`],
  ])('in the middle of its upload, by closing: it is no malformed request, %s', async (_name, request) => {
    const scene = await openScene(() => {})
    const client = await scene.ask(request)
    client.socket.end()
    await scene.proxy.recorded(1)
    expect(scene.proxy.records[0]).toMatchObject({ outcome: 'client-abort', status: undefined })
    await expectHealthy(scene)
  })

  it('in the middle of its head: nothing is refused', async () => {
    const scene = await openScene()
    const client = await scene.ask(get().slice(0, -2))
    client.socket.end()
    await client.ended()
    expect(scene.proxy.records).toEqual([])
  })

  it.each([
    ['Content-Length', 'Content-Length: 10\r\n\r\nabc', 'destroy'],
    ['Content-Length, with a reset', 'Content-Length: 10\r\n\r\nabc', 'resetAndDestroy'],
    ['chunked', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', 'destroy'],
    ['close-delimited', '\r\nabc', 'destroy'],
  ] as const)('during the body: the request to the service is aborted, %s', async (_name, rest, leave) => {
    const scene = await openScene(answerWith(`HTTP/1.1 200 OK\r\n${rest}`))
    const client = await scene.ask(get())
    await client.received('abc')
    client.socket[leave]()
    await scene.upstream.closed(0)
    await scene.proxy.recorded(1)
    expect(scene.proxy.records[0]).toMatchObject({ outcome: 'client-abort', status: 200, responseOctets: 3 })
    expect(scene.proxy.records[0]?.code).not.toBe('SERVICE_AWAITED')
    await expectHealthy(scene)
  })

  // Node can't reset a connection that it is shutting down, and leaves it open for ever, with the place of its exchange.
  it.each([
    ['until the connection closes', '\r\n'],
    ['to a client of HTTP/1.0', 'Transfer-Encoding: chunked\r\n\r\n8\r\n'],
  ])('at the moment at which the service cuts a body %s: nothing is left', async (_name, rest) => {
    const scene = await openScene(answerWith(`HTTP/1.1 200 OK\r\n${rest}abc`))
    const request = get({ version: rest.includes('chunked') ? '1.0' : '1.1' })
    for (let i = 0; i < 20; i += 1) {
      const client = await scene.ask(request)
      await client.received('abc')
      client.socket.destroy()
      scene.upstream.sockets[i]?.resetAndDestroy()
    }
    await scene.proxy.recorded(20)
    await expectHealthy(scene)
  })

  it.each([
    ['GET', get(), 'SERVICE_AWAITED'],
    ['POST', send('POST', 'abc'), 'SERVICE_AWAITED'],
    ['POST in the middle of its upload', send('POST', 'abc').slice(0, -1), undefined],
  ])('while it waits for a connection: nothing is sent to the service, %s', async (_name, request, code) => {
    const held: (() => void)[] = []
    const scene = await openScene((asked, socket) => void held.push(() => answerOk(asked, socket)), {
      config: { limits: { upstreamConnections: 1 } },
    })
    const first = await scene.ask(get())
    await scene.upstream.arrived(1)
    const waiting = await scene.ask(request)
    // Answered without the service: the requests before it have begun.
    const other = await scene.ask(get().replace(PATH, '/elsewhere'))
    await other.response()
    expect(scene.proxy.proxy.traffic.inFlight).toBe(2)
    waiting.socket.resetAndDestroy()
    await scene.proxy.recorded(2)
    held[0]?.()
    await first.response()
    await expectHealthy(scene, first)
    expect(scene.seen()).toBe(1)
    expect(scene.upstream.sockets).toHaveLength(1)
    expect(scene.proxy.records.find(({ outcome }) => outcome === 'client-abort')?.code).toBe(code)
    expect(scene.proxy.proxy.traffic.inFlight).toBe(0)
  })
})
