import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { Secret } from '../../src/config/secret.ts'
import { callWebhook } from '../../src/monitor/call-webhook.ts'
import { networkProbe } from '../../src/probe/network-probe.ts'
import { pemOf } from '../support/certificates/certificate.ts'
import { closedPort, flood, startRawFrontEnd } from '../support/front-ends/raw-front-end.ts'
import { openForTest } from '../support/open-for-test.ts'
import { answerOk, startUpstream } from '../support/recording-upstream.ts'
import { startReceiver } from './webhook-receiver.ts'

const JSON_TEXT = JSON.stringify({ text: 'größer als 8 KiB? „nein“ \u{1f36a}' })

const openReceiver = (...answer: Parameters<typeof startReceiver>) => openForTest(startReceiver(...answer))

async function call(url: string, deadlineMs = 5_000) {
  const pausesMs: number[] = []
  const probe = networkProbe({
    version: '1.2.3',
    overrides: [],
    trust: undefined,
    deadlineMs,
    limits: { headBytes: 16_384, bodyBytes: 1_024 },
    pause: async (durationMs) => pausesMs.push(durationMs),
  })
  return { delivery: await callWebhook(new Secret(url), JSON_TEXT, probe), pausesMs }
}

it('posts JSON once, to the path and query of the URL', async () => {
  const { origin, calls } = await openReceiver()
  const { delivery } = await call(`${origin}/services/T0/x?sig=a%2Fb`)
  expect(delivery).toEqual({ kind: 'delivered', attempts: 1 })
  expect(calls).toEqual([
    expect.objectContaining({ method: 'POST', target: '/services/T0/x?sig=a%2Fb', body: JSON_TEXT }),
  ])
  expect(calls[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'continuation-point/1.2.3',
    'content-length': `${Buffer.byteLength(JSON_TEXT)}`,
  })
})

it.each([408, 425, 429, 500, 503])('%i is tried again, twice, with pauses', async (status) => {
  const { origin, calls } = await openReceiver((outgoing) => void outgoing.writeHead(status).end())
  const { delivery, pausesMs } = await call(`${origin}/x`)
  expect(delivery).toEqual({ kind: 'failed', attempts: 3, reason: `${status}` })
  expect([calls.length, pausesMs]).toEqual([3, [1_000, 5_000]])
})

it('is delivered at a later attempt with the same body', async () => {
  const { origin, calls } = await openReceiver(
    (outgoing, count) => void outgoing.writeHead(count < 2 ? 503 : 200).end(),
  )
  expect((await call(`${origin}/x`)).delivery).toEqual({ kind: 'delivered', attempts: 3 })
  expect(new Set(calls.map(({ body }) => body))).toEqual(new Set([JSON_TEXT]))
})

it.each([301, 302, 303, 307, 308, 400, 401, 404, 410])(
  '%i is neither followed nor tried again',
  async (status) => {
    const elsewhere = await openReceiver()
    const { origin, calls } = await openReceiver(
      (outgoing) =>
        void outgoing.writeHead(status, status < 400 ? { Location: `${elsewhere.origin}/y` } : {}).end(),
    )
    expect((await call(`${origin}/x`)).delivery).toEqual({ kind: 'failed', attempts: 1, reason: `${status}` })
    expect([calls.length, elsewhere.calls]).toEqual([1, []])
  },
)

it.each<[string, (socket: Socket) => void, object]>([
  ['hangs up', (socket) => socket.destroy(), { kind: 'failed', attempts: 3 }],
  ['does not speak HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), { kind: 'failed', attempts: 3 }],
  [
    'never ends its response',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      flood(socket, 'a'.repeat(65_536))
    },
    { kind: 'delivered', attempts: 1 },
  ],
])('is done with a receiver that %s', async (_what, script, expected) => {
  const server = await openForTest(startRawFrontEnd(script))
  expect((await call(`http://127.0.0.1:${server.port}/x`)).delivery).toMatchObject(expected)
})

it.each<[string, (socket: Socket) => void]>([
  ['never answers', () => {}],
  [
    'never ends a short response',
    (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na'),
  ],
])('does not wait for a receiver that %s', async (_what, script) => {
  const server = await openForTest(startRawFrontEnd(script))
  const { delivery } = await call(`http://127.0.0.1:${server.port}/x`, 100)
  expect(delivery).toEqual({ kind: 'failed', attempts: 3, reason: 'timeout' })
})

it('gives a code if there is no server', async () => {
  const { delivery } = await call(`http://127.0.0.1:${await closedPort()}/marked-path`)
  expect(delivery).toEqual({ kind: 'failed', attempts: 3, reason: 'ECONNREFUSED' })
  const unknown = await call('https://marked-host.invalid/marked-path')
  expect(unknown.delivery).toEqual({ kind: 'failed', attempts: 3, reason: 'ENOTFOUND' })
})

it('sends nothing to a receiver whose certificate is not valid', async () => {
  const tls = { cert: pemOf('self-signed.cert'), key: pemOf('self-signed.key') }
  const upstream = await openForTest(startUpstream(answerOk, { tls }))
  const { delivery } = await call(`https://localhost:${upstream.port}/marked-path`)
  expect(delivery).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/^[A-Z_]+$/) })
  expect(upstream.requests).toEqual([])
})
