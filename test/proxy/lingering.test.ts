import { expect, it, onTestFinished } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { answerWith } from '../support/recording-upstream.ts'
import { openStage } from '../support/stage.ts'
import { turns, until } from '../support/until.ts'
import { answerOctets, octetsWithTail, takenWhole } from './tail.ts'

const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 5\r\n\r\n`

it('an early response that the client does not read is aborted, even if the upload then ends', async () => {
  const begun = `${post('/service_cookie_transfer/')}ab`
  const script = answerOctets(await octetsWithTail(begun))
  const stage = await openForTest(openStage({ timeouts: { idle: '300ms' } }, script, { answerAt: 'head' }))
  const { upstream, proxy } = stage
  const client = await stage.ask('')
  client.socket.pause()
  client.write(begun)
  await upstream.saw(0, (octets) => octets.endsWith('ab'))
  await takenWhole(upstream, client)
  client.write('cde')
  await proxy.recorded(1)
  // If the kernel accepted the last octets after all, the response is complete.
  expect(['request-timeout', 'ok']).toContain(proxy.records[0]?.outcome)
  expect(proxy.proxy.traffic.inFlight).toBe(0)
})

it('a response that the client does not read keeps its connection until the next request; an error keeps none', async () => {
  const get = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n'
  const small = answerWith(`HTTP/1.1 200 OK\r\nContent-Length: 8000\r\n\r\n${'x'.repeat(8_000)}`)
  const { upstream, proxy, ask } = await openForTest(openStage({}, small))
  const client = await ask('')
  client.socket.pause()
  await until(() => proxy.listener.sockets.size === 1)
  const [socket] = [...proxy.listener.sockets]
  const holds = () => socket !== undefined && proxy.proxy.hasLease(socket)
  for (let sent = 1; socket?.writableLength === 0; sent += 1) {
    client.write(get)
    while (proxy.records.length < sent && socket.writableLength === 0) await turns(1)
  }
  expect(holds()).toBe(true)
  await upstream.close()
  client.write(get)
  await until(() => !holds())
  expect(proxy.proxy.traffic.inFlight).toBe(2)
})

it('a connection keeps nothing of the uploads that were answered early on it', async () => {
  const { ask } = await openForTest(openStage())
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const client = await ask('')
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
  const early = answerWith('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly')
  const { ask } = await openForTest(openStage({}, early, { answerAt: 'head' }))
  const client = await ask(
    'POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\nContent-Length: 42\r\n\r\nab',
  )
  const errors: Error[] = []
  client.socket.on('error', (error) => errors.push(error))
  expect((await client.response()).body).toBe('early')
  expect(await client.ended()).toBe('end')
  for (let piece = 0; piece < 40; piece += 1) {
    client.write('x')
    await turns()
  }
  expect(errors).toEqual([])
})

it('the record of a refused upload keeps the trace id of its head', async () => {
  const { ask, proxy } = await openForTest(openStage())
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const client = await ask(
    post('/elsewhere').replace('\r\n\r\n', `\r\ntraceparent: 00-${traceId}-00f067aa0ba902b7-01\r\n\r\n`),
  )
  await client.response()
  await proxy.recorded(1)
  expect(proxy.records[0]?.traceId()).toBe(traceId)
})
