/*
 * A response that nobody reads gives its place to the request that needs it. The place was free only once the client's
 * connection had closed, so the request for which a response was cut got 503 nevertheless.
 */

import { expect, it, onTestFinished, vi } from 'vitest'
import { until } from '../support/until.ts'
import { get, openScene } from './scene.ts'

const LARGE = 16 * 1_048_576

it('the place of a response that gives way is free in the same turn, once', async () => {
  const { upstream, proxy, ask } = await openScene((_, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${LARGE}\r\n\r\n`)
    socket.write(Buffer.alloc(LARGE))
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const client = await ask('')
  client.socket.pause()
  client.write(get())
  await upstream.arrived(1)
  const { traffic } = proxy.proxy
  // The kernels take some octets after the response has begun to wait, which looks as if its client had read. So each look
  // is ten minutes later than the one before; only the looks are, or other times would pass.
  const now = performance.now.bind(performance)
  let laterMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs)
  let inFlight = traffic.inFlight
  let looks = 0
  await until(() => {
    looks += 1
    laterMs = looks * 600_000
    const isFree = traffic.stalls.freePlace(100)
    inFlight = traffic.inFlight
    laterMs = 0
    return isFree
  })
  expect(inFlight).toBe(0)
  await proxy.recorded(1)
  expect(proxy.records[0]).toMatchObject({ outcome: 'request-timeout', code: 'GAVE_WAY' })
  expect(traffic.inFlight).toBe(0)
})
