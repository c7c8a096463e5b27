import { describe, expect, it } from 'vitest'
import { answerWith, type Script } from '../support/recording-upstream.ts'
import { codeOf, statusOf } from '../support/stage.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { expectHealthy, get, openScene, PATH, receive } from './scene.ts'

const POST = `POST ${PATH} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n`
const AT_HEAD = { upstream: { answerAt: 'head' as const } }
const LENGTH = 400_000
const BODY = 'x'.repeat(LENGTH)

/** It ends with its connection, and so does the response to the client. */
const WITHOUT_FRAMING = '413 without framing'

/** Each way to frame an upload: its head, a first part of it, and the rest. */
const UPLOADS = [
  {
    framing: 'Content-Length',
    head: `${POST}Content-Length: ${LENGTH}\r\n\r\n`,
    first: BODY.slice(0, 1_000),
    rest: BODY.slice(1_000),
  },
  {
    framing: 'chunked',
    head: `${POST}Transfer-Encoding: chunked\r\n\r\n`,
    first: '3e8\r\n'.padEnd(1_005, 'x').concat('\r\n'),
    rest: `${(LENGTH - 1_000).toString(16)}\r\n${BODY.slice(1_000)}\r\n0\r\n\r\n`,
  },
]

/** Ways to answer before the upload ended. */
const NO = (status: string, lines = '') => `HTTP/1.1 ${status}\r\n${lines}Content-Length: 2\r\n\r\nno`
const CLOSING = NO('413 Big', 'Connection: close\r\n')
const CHUNKED = 'HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n'
const ANSWERS: readonly (readonly [name: string, status: number, script: Script])[] = [
  ['401 and keep-alive', 401, answerWith(NO('401 No'))],
  ['413 and close, reading on', 413, answerWith(CLOSING)],
  [
    WITHOUT_FRAMING,
    413,
    (_request, socket) => void socket.end('HTTP/1.1 413 Big\r\nConnection: close\r\n\r\nno'),
  ],
  [
    '413, and the connection is gone',
    413,
    (_request, socket) => void socket.write(CLOSING, () => socket.destroy()),
  ],
  ['403, chunked', 403, answerWith(CHUNKED)],
]

describe.each(UPLOADS)('a response before the end of an upload ($framing)', ({ head, first, rest }) => {
  it.each(ANSWERS)('arrives before the client sends more: %s', async (name, status, script) => {
    const scene = await openScene(script, AT_HEAD)
    const client = await scene.ask(head + first)
    const answer = await client.response()
    expect([statusOf(answer), answer.body]).toEqual([status, 'no'])
    client.write(rest)
    await expectHealthy(scene, name === WITHOUT_FRAMING ? undefined : client)
    await scene.proxy.recorded(name === WITHOUT_FRAMING ? 2 : 3)
    expect(scene.proxy.records[0]).toMatchObject({ outcome: 'ok', status })
  })

  it.each(ANSWERS.slice(0, 3))('arrives while the client sends on: %s', async (name, status, script) => {
    const scene = await openScene(script, AT_HEAD)
    const client = await scene.ask(head + first + rest)
    const answer = await client.response()
    expect([statusOf(answer), answer.body]).toEqual([status, 'no'])
    await expectHealthy(scene, name === WITHOUT_FRAMING ? undefined : client)
  })

  it('goes on while the client sends on', async () => {
    const scene = await openScene(answerWith('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab'), AT_HEAD)
    const client = await scene.ask(head + first)
    await client.received('ab')
    client.write(rest)
    await scene.upstream.arrived(1)
    expect(scene.upstream.requests[0]?.body).toBe(BODY)
    scene.upstream.sockets[0]?.write('cd')
    expect((await client.response()).body).toBe('abcd')
    await expectHealthy(scene, client)
    expect(scene.upstream.sockets).toHaveLength(1)
  })
})

describe('an upload that is cut off', () => {
  it.each(UPLOADS)('by a reset of the service in the middle is a 502 ($framing)', async ({ head, first }) => {
    const scene = await openScene(undefined, {
      upstream: {
        onConnection: (socket, index) => {
          if (index === 0)
            socket.on('data', (chunk) => void (chunk.includes('xxx') && socket.resetAndDestroy()))
        },
      },
    })
    const client = await scene.ask(head + first)
    const { answer } = await receive(client)
    expect(answer && [statusOf(answer), codeOf(answer)]).toEqual([502, 'upstream-reset'])
    await expectHealthy(scene)
    expect(scene.seen()).toBe(0)
  })

  it.each(UPLOADS)(
    'by the client does not look complete to the service ($framing)',
    async ({ head, first }) => {
      const scene = await openScene()
      const client = await scene.ask(head + first)
      await scene.upstream.saw(0, (octets) => octets.includes('xxx'))
      client.close()
      await scene.upstream.closed(0)
      await scene.proxy.recorded(1)
      // To the parser the end of the connection within a body is bad framing.
      expect(scene.proxy.records[0]?.outcome).toBe('client-abort')
      expect(scene.seen()).toBe(0)
      await expectHealthy(scene)
    },
  )
})

it('a client that never ends its upload after an early response loses its connection', async () => {
  const scene = await openScene(answerWith(NO('401 No')), AT_HEAD)
  const client = await scene.ask(`${POST}Content-Length: 10\r\n\r\nabc`)
  expect(statusOf(await client.response())).toBe(401)
  await client.ended()
  await expectHealthy(scene)
})

it('an early response does not reach the next request on the connection', async () => {
  const scene = await openScene(answerWith(NO('401 No')), AT_HEAD)
  const client = await scene.ask(`${POST}Content-Length: ${LENGTH}\r\n\r\n${BODY.slice(1)}`)
  expect(statusOf(await client.response())).toBe(401)
  // Only now: a request that arrives while an earlier one is unanswered is not begun.
  client.write(`x${get()}`)
  expect(statusOf(await client.response())).toBe(401)
  await expectHealthy(scene, client)
  expect(client.pending()).toBe('')
})
