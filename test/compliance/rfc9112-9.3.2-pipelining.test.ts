import { beforeEach, describe, expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import type { RawClient } from '../support/raw-client.ts'
import { holdSome, type RecordingUpstream, type Script } from '../support/recording-upstream.ts'
import { openStage, type Stage } from '../support/stage.ts'
import type { RunningProxy } from '../support/start-proxy.ts'
import { turns } from '../support/until.ts'
import { onlyValue } from '../support/wire.ts'

const HOST = 'Host: www.example.com\r\n'
const get = (path: string) => `GET /service_cookie_transfer/${path} HTTP/1.1\r\n${HOST}\r\n`
const post = (path: string, lines: string, body: string) =>
  `POST /service_cookie_transfer/${path} HTTP/1.1\r\n${HOST}${lines}\r\n${body}`
const refused = `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`

const toResponse = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe('a request behind an unanswered one is not begun (RFC 9112 sections 9.3.2 and 9.6)', () => {
  let stage: Stage
  let upstream: RecordingUpstream
  let proxy: RunningProxy
  let client: RawClient
  beforeEach(async () => {
    const answerEarly: Script = ({ startLine }, socket) =>
      void (startLine.includes('/early') && socket.write(toResponse('early')))
    stage = await openForTest(openStage({}, answerEarly, { answerAt: 'head' }))
    ;({ upstream, proxy } = stage)
    client = await stage.ask('')
  })

  /** The service's answer to the request that it still holds. */
  const release = (octets: string) => {
    const held = upstream.octets.findIndex((seen) => seen.includes('/held'))
    upstream.sockets[held]?.write(octets)
  }

  it.each([
    ['a GET', get('late')],
    ['a POST in the same packet', post('late', 'Content-Length: 6\r\n', 'second')],
    ['a POST that waits for 100 Continue', post('late', 'Expect: 100-continue\r\nContent-Length: 3\r\n', '')],
    ['an upload that the service would answer early', post('early', 'Content-Length: 5\r\n', 'ab')],
    ['a POST with a malformed body', post('late', 'Transfer-Encoding: chunked\r\n', 'no chunk')],
    ['a request that no point owns', refused],
    ['malformed octets after another', `${get('late')}@@@`],
    ['a CONNECT after another', `${get('late')}CONNECT www.example.com:80 HTTP/1.1\r\n${HOST}\r\n`],
    ['a hundred others', get('late').repeat(100)],
  ])('the connection closes after the response: %s', async (_what, octets) => {
    client.write(get('held') + octets)
    await upstream.arrived(1)
    await turns()
    release(toResponse('the first'))
    const answer = await client.response()
    expect([answer.body, onlyValue(answer.fields, 'connection')]).toEqual(['the first', 'close'])
    expect(await client.ended()).toBe('end')
    expect(client.pending()).toBe('')
    expect(upstream.requests).toHaveLength(1)
    expect(proxy.records.map(({ outcome }) => outcome)).toEqual(['ok'])
    expect(proxy.proxy.traffic.inFlight).toBe(0)
  })

  it('a slow POST is completed, and the POST behind it does not run beside it', async () => {
    client.write(post('held', 'Content-Length: 5\r\n', 'fi'))
    await upstream.saw(0, (octets) => octets.endsWith('\r\n\r\nfi'))
    client.write(`rst${post('late', 'Content-Length: 6\r\n', 'second')}`)
    await upstream.saw(0, (octets) => octets.endsWith('first'))
    await turns()
    release(toResponse('the first'))
    expect((await client.response()).body).toBe('the first')
    expect(await client.ended()).toBe('end')
    expect(upstream.requests.map(({ body }) => body)).toEqual(['first'])
  })

  it('in the middle of a response, the connection closes after all of it', async () => {
    client.write(get('held'))
    await upstream.arrived(1)
    release('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe ')
    await client.received('the ')
    client.write(get('late'))
    await turns()
    release('first')
    const answer = await client.response()
    expect([answer.body, onlyValue(answer.fields, 'connection')]).toEqual(['the first', 'keep-alive'])
    expect(await client.ended()).toBe('end')
    expect(upstream.requests).toHaveLength(1)
  })

  it('a request is begun once the response before it was handed over, and no further one', async () => {
    client.write(refused + get('held') + get('late'))
    await upstream.arrived(1)
    expect((await client.response()).startLine).toBe('HTTP/1.1 404 Not Found')
    release(toResponse('the second'))
    const answer = await client.response()
    expect([answer.body, onlyValue(answer.fields, 'connection')]).toEqual(['the second', 'close'])
    expect(await client.ended()).toBe('end')
    expect(upstream.requests).toHaveLength(1)
  })

  it.each([
    ['a refusal', `GET /nowhere HTTP/1.1\r\n${HOST}Upgrade: x\r\n\r\n`, '404'],
    ['a redirect', `GET /service_cookie_transfer HTTP/1.1\r\n${HOST}Upgrade: x\r\n\r\n`, '308'],
    ['a refused coding', post('', 'Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), '501'],
    ['an early answer', post('early', 'Upgrade: x\r\nContent-Length: 2\r\n', 'a'), '200', 'b'],
  ])('a request behind %s that closes is never begun', async (_what, first, status, rest = '') => {
    const late = post('late', 'Content-Length: 6\r\n', 'second')
    client.write(rest === '' ? first + late : first)
    if (rest !== '') {
      await client.received('early')
      client.write(rest + late)
    }
    const answer = await client.response()
    expect(answer.startLine).toContain(` ${status} `)
    expect(onlyValue(answer.fields, 'connection')).toBe('close')
    expect(await client.ended()).toBe('end')
    await turns()
    expect(upstream.octets.filter((octets) => octets.includes('/late'))).toEqual([])
    expect(proxy.records).toHaveLength(1)
    expect(proxy.proxy.traffic.inFlight).toBe(0)
  })

  it('sixty refused ones in a packet do not hold up another client', async () => {
    client.write(refused.repeat(60))
    const other = await stage.ask(refused)
    expect((await other.response()).startLine).toBe('HTTP/1.1 404 Not Found')
    for (let count = 0; count < 2; count += 1)
      expect((await client.response()).startLine).toBe('HTTP/1.1 404 Not Found')
    expect(await client.ended()).toBe('end')
    expect(proxy.records).toHaveLength(3)
  })

  it.each([
    ['before the response began', ''],
    ['in the middle of the response', 'the '],
  ])('CONNECT %s', async (_what, begun) => {
    client.write(get('held'))
    await upstream.arrived(1)
    release(begun === '' ? '' : `HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n${begun}`)
    if (begun !== '') await client.received(begun)
    client.write(`CONNECT www.example.com:80 HTTP/1.1\r\n${HOST}\r\n`)
    await turns()
    release(begun === '' ? toResponse('the first') : 'first')
    expect((await client.response()).body).toBe('the first')
    expect((await client.response()).startLine).toBe('HTTP/1.1 405 Method Not Allowed')
    expect(await client.ended()).toBe('end')
  })

  it('malformed octets are refused once, however many pieces they arrive in', async () => {
    client.socket.setNoDelay()
    client.write(get('held'))
    await upstream.arrived(1)
    for (let piece = 0; piece < 40; piece += 1) {
      client.write('@')
      await turns()
    }
    release(toResponse('the first'))
    expect((await client.response()).body).toBe('the first')
    expect((await client.response()).startLine).toBe('HTTP/1.1 400 Bad Request')
    expect(await client.ended()).toBe('end')
    expect(proxy.records.map(({ outcome }) => outcome)).toEqual(['ok', 'bad-message'])
  })

  it.each([
    ['', ''],
    [' behind which it sent another', get('late')],
  ])('a client that leaves during its request%s is noticed', async (_what, more) => {
    client.write(get('held') + more)
    await upstream.arrived(1)
    await turns()
    client.close()
    await proxy.recorded(1)
    expect(proxy.records.map(({ outcome }) => outcome)).toEqual(['client-abort'])
    expect(proxy.proxy.traffic.inFlight).toBe(0)
    expect(upstream.requests).toHaveLength(1)
  })

  it('whatever comes behind is read and discarded', async () => {
    client.write(get('held'))
    await upstream.arrived(1)
    client.write(
      get('late')
        .replace('\r\n\r\n', `\r\nX-Long: ${'x'.repeat(8_000)}\r\n\r\n`)
        .repeat(1_000),
    )
    await new Promise((resolve) => client.socket.write('', resolve))
    release(toResponse('the first'))
    expect((await client.response()).body).toBe('the first')
    expect(await client.ended()).toBe('end')
  })
})

it('one connection counts as one request in flight, however many it sends', async () => {
  const { upstream, ask } = await openForTest(openStage({ limits: { concurrentRequests: 2 } }, holdSome))
  const greedy = await ask(get('hold') + get('x').repeat(100))
  await upstream.arrived(1)
  const other = await ask(get('y'))
  expect((await other.response()).startLine).toBe('HTTP/1.1 200 OK')
  upstream.sockets[0]?.write(toResponse(''))
  expect((await greedy.response()).startLine).toBe('HTTP/1.1 200 OK')
  expect(await greedy.ended()).toBe('end')
  expect((await (await ask(get('z'))).response()).startLine).toBe('HTTP/1.1 200 OK')
})

it.each([
  ['malformed octets', '@@@'],
  ['a CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ['many requests', get('x').repeat(50)],
])('the parser of a connection that closed before %s parses the next one', async (_what, more) => {
  const { upstream, ask } = await openForTest(openStage({}, holdSome))
  const client = await ask(get('hold') + post('late', 'Transfer-Encoding: chunked\r\n', 'no chunk') + more)
  await upstream.arrived(1)
  upstream.sockets[0]?.write(toResponse(''))
  await client.response()
  await client.ended()
  for (let count = 0; count < 3; count += 1) {
    const next = await ask(post('next', 'Transfer-Encoding: chunked\r\n', '1\r\nx\r\n0\r\n\r\n'))
    expect((await next.response()).startLine).toBe('HTTP/1.1 200 OK')
  }
})
