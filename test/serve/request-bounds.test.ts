import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { setUpStage } from '../support/stage.ts'

const HEAD = 'GET /service_cookie_transfer/x HTTP/1.1\r\nHost: www.example.com\r\n'
const POST = HEAD.replace('GET', 'POST')
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'
const lines = (count: number) => 'a:\r\n'.repeat(count)

const stage = setUpStage()

// Of 513 to 527 the last ones come with the end of the head.
it.each([512, 513, 520, 527, 528, 560])(
  'after a complete head of %i lines a connection that stays open goes on',
  async (count) => {
    const client = await stage.ask(`${HEAD}${lines(count - 1)}\r\n`)
    const answer = await client.response()
    expect(answer.startLine).toMatch(/^HTTP\/1\.1 431 /)
    if (answer.octets.includes('\r\nConnection: close\r\n')) return expect(await client.ended()).toBe('end')
    client.write(`${HEAD}\r\n`)
    expect((await client.response()).startLine).toBe('HTTP/1.1 200 OK')
  },
)

it('trailers of too many lines after an early answer end the connection', async () => {
  const client = await stage.ask(`${POST.replace('/service_cookie_transfer/x', '/nowhere')}${CHUNKED}`)
  expect((await client.response()).startLine).toMatch(/^HTTP\/1\.1 404 /)
  client.write(`0\r\n${lines(600)}\r\n`)
  expect(await client.ended()).toBe('end')
})

describe('while it arrives', () => {
  it.each([
    ['a head of 512 lines that goes on', HEAD + lines(512 + 32), 'too-many-fields'],
    ['trailers of 512 lines that go on', `${POST}${CHUNKED}0\r\n${lines(512 + 32)}`, 'too-many-fields'],
    ['a head with a long value', `${HEAD}X-A: ${'x'.repeat(65_536)}`, 'head-too-large'],
    [
      'a head with much white space, which Node does not count',
      `${HEAD}X-A:${' '.repeat(65_536)}`,
      'head-too-large',
    ],
    ['empty lines before a head, which Node does not count', '\r\n'.repeat(33_000), 'head-too-large'],
    ['the second head on a connection', `${HEAD}\r\n${HEAD}${lines(512 + 32)}`, 'too-many-fields'],
  ])('%s gets 431', async (_what, octets, code) => {
    const client = await stage.ask(octets)
    await client.received('HTTP/1.1 431 ')
    await client.received(`"code":"${code}"`)
    expect(await client.ended()).toBe('end')
    expect(stage.proxy.records.at(-1)).toMatchObject({ outcome: code, status: 431 })
  })

  it.each([
    ['a head', HEAD, '\r\n'],
    ['trailers', `${POST}${CHUNKED}0\r\n`, '\r\n'],
  ])('%s of few lines in many writes is not cut', async (_what, start, end) => {
    const client = await stage.ask(start)
    for (let i = 0; i < 100; i += 1) {
      await new Promise((resolve) => client.socket.write('a: 1\r\n', resolve))
    }
    client.write(end)
    expect((await client.response()).startLine).toBe('HTTP/1.1 200 OK')
  })

  it('many heads on one connection are counted one by one', async () => {
    const client = await stage.ask('')
    for (let i = 0; i < 12; i += 1) {
      client.write(`${HEAD}${`Cookie: ${'x'.repeat(200)}\r\n`.repeat(100)}\r\n`)
      expect((await client.response()).startLine).toBe('HTTP/1.1 200 OK')
    }
  })
})

it('the lines of a head that has too many cost nothing any more', async () => {
  let calls = 0
  let onCounted = () => {}
  const counted = new Promise<void>((resolve) => {
    onCounted = resolve
  })
  const count = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    // After the listeners of the connection.
    setImmediate(() => {
      const parser = Reflect.get(socket, 'parser')
      const onLines = parser[1]
      parser[1] = function (this: unknown, ...values: unknown[]) {
        calls += 1
        Reflect.apply(onLines, this, values)
      }
      onCounted()
    })
  }
  subscribe('net.server.socket', count)
  try {
    const client = await stage.ask('')
    await counted
    client.write(`${HEAD}${lines(30_000)}\r\n`)
    await client.received('HTTP/1.1 431 ')
  } finally {
    unsubscribe('net.server.socket', count)
  }
  // It is called for every 32 lines.
  expect(calls).toBe(512 / 32 + 1)
})

it('a parser that Node uses again forwards every line', async () => {
  for (let round = 0; round < 3; round += 1) {
    const flooder = await stage.ask(HEAD + lines(5_000))
    await flooder.ended()
    flooder.close()
    const cookies = Array.from({ length: 200 }, (_, i) => `Cookie: c${i}=${round}\r\n`).join('')
    const client = await stage.ask(`${HEAD}${cookies}\r\n`)
    expect((await client.response()).startLine).toBe('HTTP/1.1 200 OK')
    expect(stage.upstream.requests.at(-1)?.octets).toContain(cookies)
    client.close()
  }
})
