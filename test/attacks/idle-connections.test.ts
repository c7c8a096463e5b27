/*
 * The limit of open files alone let 18,500 idle connections into a process. With unfinished heads beside them they took more
 * than a heap of 128 MiB has. And who held them shut everybody else out.
 */

import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { certificate } from '../support/certificates/certificate.ts'
import { openClient } from '../support/raw-client.ts'
import { answerOk, startUpstream } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'
import { request, startServe } from './serve.ts'

const HEAP_BYTES = 32 * 1_048_576
const OK = 'HTTP/1.1 200 OK'

it.each([
  ['send nothing', undefined],
  ['had a response', request('GET', 'idle')],
  ['begin a request', 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost:'],
])(
  'clients that %s take an eighth of the heap, and the oldest give way to visitors',
  async (_what, octets) => {
    const service = await startUpstream()
    onTestFinished(() => service.close())
    const serve = await startServe(service.origin, {}, { nodeFlags: ['--max-old-space-size=32'] })
    const frontEnd = await serve.client()
    const askOnIt = async () => {
      frontEnd.write(request('GET', 'front-end'))
      expect((await frontEnd.response()).startLine).toBe(OK)
    }
    await askOnIt()
    const before = await serve.heapBytes()
    let closed = 0
    const open = async () => {
      const client = await openClient(serve.port)
      onTestFinished(client.close)
      void client.ended().then(() => {
        closed += 1
      })
      if (octets === undefined) return
      client.write(octets)
      // Among many that come at once, some may be closed before they have asked.
      if (octets.endsWith('\r\n\r\n')) await client.response().catch(() => {})
    }
    // What is used is not idle, however old it is.
    for (let batch = 0; batch < 20; batch += 1) {
      await Promise.all(Array.from({ length: 50 }, open))
      await askOnIt()
    }
    const warning =
      /"clientConnections":(\d+),"limitedBy":"memory".*"msg":"client connections are closed: [^"]+"/g
    const [, most] = await serve.program.printed(new RegExp(warning.source))
    expect(Number(most)).toBeLessThanOrEqual(HEAP_BYTES / 8 / 6_144 + 100)
    await until(() => closed >= 1_000 - Number(most))
    expect((await serve.heapBytes()) - before).toBeLessThan(HEAP_BYTES / 6)
    const visitor = await serve.ask(request('POST', 'visitor', 'Content-Length: 2\r\n\r\nhi'))
    expect((await visitor.response()).startLine).toBe(OK)
    await askOnIt()
    expect(serve.program.stdout().match(warning)).toHaveLength(1)
    expect(serve.program.stderr()).toBe('')
  },
)

it.each(['http', 'https'])('a connection of %s with a request does not give way', async (scheme) => {
  let answer: (() => void) | undefined
  const service = await startUpstream((received, socket) => {
    answer = () => answerOk(received, socket)
  })
  onTestFinished(() => service.close())
  const host = 'www.shop.localhost'
  const tls = {
    cert: `file:${certificate('shop.cert')}`,
    key: `file:${certificate('shop.key')}`,
  }
  const serve = await startServe(
    service.origin,
    {
      points: [`${scheme}://${host}/service_cookie_transfer/`],
      listen: { port: 0, ...(scheme === 'https' && { tls }) },
    },
    { nodeFlags: ['--max-old-space-size=32'] },
  )
  const ca = await readFile(certificate('shop-authority.cert'), 'utf8')
  const visitor = await openClient(serve.port, scheme === 'https' ? { ca, servername: host } : undefined)
  onTestFinished(visitor.close)
  visitor.write(`GET /service_cookie_transfer/slow HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await service.arrived(1)
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
