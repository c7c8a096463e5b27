import { expect, it, onTestFinished } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { startProxy } from '../support/start-proxy.ts'
import { answerOctets, octetsWithTail, takenWhole, turns } from './tail.ts'

const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 5\r\n\r\n`

it('an early response that the client does not read is aborted, even if the upload then ends', async () => {
  const begun = `${post('/service_cookie_transfer/')}ab`
  const upstream = await startUpstream(answerOctets(await octetsWithTail(begun)), { answerAt: 'head' })
  const proxy = await startProxy(upstream.origin, { timeouts: { idle: '300ms' } })
  onTestFinished(async () => {
    await proxy.close()
    await upstream.close()
  })
  const client = await openClient(proxy.port)
  client.socket.pause()
  client.write(begun)
  await upstream.saw(0, (octets) => octets.endsWith('ab'))
  await takenWhole(upstream, client)
  client.write('cde')
  await proxy.recorded(1)
  // If the kernel accepted the last octets after all, the response is complete.
  expect(['request-timeout', 'ok']).toContain(proxy.records[0]?.outcome)
  expect(proxy.proxy.traffic.inFlight).toBe(0)
  client.close()
})

it('a connection keeps nothing of the uploads that were answered early on it', async () => {
  const proxy = await startProxy('http://127.0.0.1:9')
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  const client = await openClient(proxy.port)
  onTestFinished(async () => {
    process.off('warning', onWarning)
    client.close()
    await proxy.close()
  })
  for (let upload = 0; upload < 15; upload += 1) {
    client.write(post('/elsewhere'))
    expect((await client.response()).startLine).toBe('HTTP/1.1 404 Not Found')
    client.write('abcde')
  }
  client.write(`GET /elsewhere HTTP/1.1\r\nHost: www.example.com\r\n\r\n`)
  await client.response()
  expect(warnings).toEqual([])
})

it('a client that still uploads is still read after the last response: no reset can overtake it', async () => {
  const upstream = await startUpstream(
    (_request, socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly'),
    { answerAt: 'head' },
  )
  const proxy = await startProxy(upstream.origin)
  onTestFinished(async () => {
    await proxy.close()
    await upstream.close()
  })
  const client = await openClient(proxy.port)
  const errors: Error[] = []
  client.socket.on('error', (error) => errors.push(error))
  client.write(
    'POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\nContent-Length: 42\r\n\r\nab',
  )
  expect((await client.response()).body).toBe('early')
  expect(await client.ended()).toBe('end')
  for (let piece = 0; piece < 40; piece += 1) {
    client.write('x')
    await turns()
  }
  expect(errors).toEqual([])
  client.close()
})
