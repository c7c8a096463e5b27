/*
 * The limit of open files alone let 18,500 idle connections into a process. With unfinished heads beside them they took more
 * than a heap of 128 MiB has. And who held them shut everybody else out.
 */

import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { answerOk, type Script } from '../support/recording-upstream.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { until } from '../support/until.ts'
import { askShop, MEBIBYTE, OK, request, SHOP_HOST, startBoth, startTls } from './serve.ts'

const HEAP_BYTES = 32 * MEBIBYTE
const TINY_HEAP = { nodeFlags: ['--max-old-space-size=32'] }

it.each([
  ['send nothing', undefined],
  ['had a response', request('GET', 'idle')],
  ['begin a request', 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost:'],
])(
  'clients that %s take an eighth of the heap, and the oldest give way to visitors',
  async (_what, octets) => {
    const { serve } = await startBoth(undefined, {}, TINY_HEAP)
    const frontEnd = await serve.client()
    const askOnIt = async () => {
      frontEnd.write(request('GET', 'front-end'))
      expect((await frontEnd.response()).startLine).toBe(OK)
    }
    await askOnIt()
    const before = await serve.heapBytes()
    let closed = 0
    const open = async () => {
      const client = await serve.client()
      void client.ended().then(() => {
        closed += 1
      })
      if (octets === undefined) return
      client.write(octets)
      // Among many that come at once, some may be closed before they have asked.
      if (octets.endsWith('\r\n\r\n')) await client.response().catch(() => {})
    }
    // What is used is not idle, however old it is.
    for (let batch = 0; batch < 50; batch += 1) {
      await Promise.all(Array.from({ length: 20 }, open))
      // By then the process has accepted them.
      await serve.heapBytes()
      await askOnIt()
    }
    const warning =
      /"clientConnections":(\d+),"limitedBy":"memory".*"msg":"client connections are closed: [^"]+"/g
    const [, most] = await serve.program.printed(new RegExp(warning.source))
    expect(Number(most)).toBeLessThanOrEqual(HEAP_BYTES / 8 / 6_144 + 100)
    await until(() => closed >= 1_000 - Number(most))
    expect((await serve.heapBytes()) - before).toBeLessThan(HEAP_BYTES / 6)
    expect(await serve.visit(request('POST', 'visitor', 'Content-Length: 2\r\n\r\nhi'))).toBe(OK)
    await askOnIt()
    expect(serve.program.stdout().match(warning)).toHaveLength(1)
    expect(serve.program.stderr()).toBe('')
  },
)

it.each([
  ['http', startBoth],
  ['https', startTls],
] as const)('a connection of %s with a request does not give way', async (scheme, start) => {
  let answer: (() => void) | undefined
  const script: Script = (received, socket) => {
    answer = () => answerOk(received, socket)
  }
  const { upstream, serve } = await start(script, {}, TINY_HEAP)
  const slow = request('GET', 'slow')
  const visitor =
    scheme === 'http' ? await serve.ask(slow) : await askShop(serve.port, slow.replace(POINT_HOST, SHOP_HOST))
  await upstream.arrived(1)
  let closed = 0
  for (let i = 0; i < 1_200; i += 1) {
    const idle = connect(serve.port, '127.0.0.1')
    onTestFinished(() => void idle.destroy())
    const onClose = () => {
      closed += 1
    }
    idle.on('error', () => {}).once('close', onClose)
  }
  await until(() => closed > 100)
  answer?.()
  expect((await visitor.response()).startLine).toBe(OK)
})
