import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openUpstream, type RoundTrip, type Upstream } from '../../src/proxy/upstream.ts'
import { startUpstream } from '../support/recording-upstream.ts'

it('notices the end of a close-delimited response that arrives while its reader pauses', async () => {
  const service = await startUpstream((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc')
  })
  const upstream = openOneConnection(service.origin)
  onTestFinished(() => service.close())
  const received: string[] = []
  await new Promise<void>((resolve, reject) => {
    const trip: RoundTrip = upstream.send(
      { method: 'GET', path: '/', fields: ['Host', service.authority], body: undefined },
      {
        onStart: () => {},
        onSent: () => {},
        onHead: () => {},
        onData: (chunk) => {
          received.push(chunk.toString())
          if (received.length === 1) service.sockets[0]?.end('tail', () => void resumeLater())
          else void resumeLater()
          return 'pause'
        },
        onEnd: resolve,
        onFailure: (kind) => reject(new Error(kind)),
      },
    )
    // Some turns of the loop, in which the tail and the end reach the paused side together.
    async function resumeLater(): Promise<void> {
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      trip.resume()
    }
  })
  expect(received.join('')).toBe('abctail')
  await upstream.close()
})

it('reuses a connection after a response whose last octets paused it', async () => {
  const service = await startUpstream((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc')
  })
  const upstream = openOneConnection(service.origin)
  onTestFinished(() => service.close())
  for (const _ of [1, 2, 3]) {
    await new Promise<void>((resolve, reject) => {
      upstream.send(
        { method: 'GET', path: '/', fields: ['Host', service.authority], body: undefined },
        {
          onStart: () => {},
          onSent: () => {},
          onHead: () => {},
          onData: () => 'pause',
          onEnd: resolve,
          onFailure: (kind) => reject(new Error(kind)),
        },
      )
    })
  }
  expect(service.sockets).toHaveLength(1)
  await upstream.close()
})

function openOneConnection(origin: string): Upstream {
  return openUpstream({
    origin,
    extraCa: undefined,
    connectTimeoutMs: 5_000,
    connections: 1,
    connectionAgeMs: 60_000,
  })
}
