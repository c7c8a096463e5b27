import { createServer, type Socket } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { listenForTest } from '../../support/listen.ts'
import { callsOf } from '../support/call.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { openStandIn } from '../support/stand-in.ts'

const { call } = await openStandIn()
const plain = await startReceiver('http')
const tls = await startReceiver('https')
const moved = await startReceiver('http', 307)
const switching = await startReceiver('http', 101)
afterAll(() => Promise.all([plain, tls, moved, switching].map((each) => each.close())))
beforeEach(() => {
  for (const { received } of [plain, tls, moved]) received.length = 0
})

const hook = { category: 'session.started', enabled: true, ssl_verification: true }
const register = ({ url }: Pick<Receiver, 'url'>, changes: object = {}) =>
  call('POST /webhooks/', { body: { ...hook, url: `${url}/in?a=1`, ...changes } })
const start = async () => (await call('POST /sessions/', { body: { url: 'https://www.example.com/' } })).json
const deliveries = async () => (await call('GET /_sandbox/deliveries')).json.deliveries

describe('a session that starts', () => {
  it('is reported to an enabled webhook', async () => {
    await register(plain)
    const { leader_link: _, ...session } = await start()
    expect(await deliveries()).toEqual([{ webhookId: 1, outcome: 'delivered', status: 200 }])
    expect(plain.received).toEqual([
      {
        method: 'POST',
        path: '/in?a=1',
        contentType: 'application/json',
        json: {
          category: 'session.started',
          webhook_id: 1,
          company_id: 1,
          sent_at: session.start_time,
          session: { ...session, participant_num: 0, successful_start: null },
        },
      },
    ])
  })

  it('is reported to every webhook that subscribes to it, and to no other', async () => {
    await register(plain, { enabled: false })
    await register(plain, { category: 'session.other' })
    await register(plain)
    await register(tls, { ssl_verification: false })
    await start()
    expect((await deliveries()).map(({ webhookId }: { webhookId: number }) => webhookId)).toEqual([3, 4])
    expect([plain.received.length, tls.received.length]).toEqual([1, 1])
  })

  it('is sent to a receiver with an untrusted certificate only if the certificate is not verified', async () => {
    await register(tls)
    await start()
    expect(await deliveries()).toEqual([
      { webhookId: 1, outcome: 'failed', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    ])
    expect(tls.received).toEqual([])
    const { id, company_id, ...hook } = (await call('GET /webhooks/1/')).json
    await call('PUT /webhooks/1/', { body: { ...hook, ssl_verification: false } })
    await start()
    expect((await deliveries()).at(-1)).toEqual({ webhookId: 1, outcome: 'delivered', status: 200 })
  })

  it('does not follow a redirect of the receiver, nor another protocol', async () => {
    await register(moved)
    await start()
    await register(switching)
    await start()
    const statuses = (await deliveries()).map(({ status }: { status: number }) => status)
    expect(statuses).toEqual([307, 307, 101])
    expect(moved.received).toHaveLength(2)
  })

  it('starts even if no receiver listens', async () => {
    const gone = await startReceiver('http')
    await gone.close()
    await register(gone)
    await register({ ...gone, url: 'http://%FF@127.0.0.1:1/' })
    expect((await start()).id).toEqual(expect.any(String))
    expect(JSON.stringify(await deliveries())).toMatch(/ECONNREFUSED.*ERR_INVALID_URL/)
  })
})

it('aborts a delivery when the stand-in closes', async () => {
  const short = await startSandbox()
  let arrived: (socket: Socket) => void = () => {}
  const arrival = new Promise<Socket>((resolve) => {
    arrived = resolve
  })
  const silent = createServer((socket) => arrived(socket.on('error', () => {}).resume()))
  const port = await listenForTest(silent)
  const calls = callsOf(short.url)
  const body = { ...hook, url: `http://127.0.0.1:${port}/` }
  await calls('POST /webhooks/', { body })
  await calls('POST /sessions/', { body: { url: 'https://www.example.com/' } })
  const socket = await arrival
  const broken = new Promise((resolve) => socket.once('close', resolve))
  await short.close()
  await broken
})
