import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPoints as openHonoPoints } from '../../src/hono.ts'
import { type ExchangeRecord, openPoints } from '../../src/node.ts'
import { listenForTest } from '../support/listen.ts'
import { openMounted } from '../support/mounted.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'

const GET = 'GET /service_cookie_transfer/x HTTP/1.1\r\nHost: www.example.com\r\n\r\n'
const LIMIT = 2

/** Slow middleware: it calls the next handler when the test says so. */
interface Gate {
  readonly pass: (outgoing: ServerResponse) => Promise<void>
}

describe.each(['node', 'hono'] as const)('points that are asked late, /%s', (face) => {
  let upstream: RecordingUpstream
  let port: number
  let records: ExchangeRecord[]
  let gate: Gate

  beforeEach(async () => {
    gate = { pass: async () => {} }
    upstream = await openForTest(startUpstream())
    const limits = { concurrentRequests: LIMIT }
    let server: Server
    if (face === 'node') {
      const opened = await openMounted(openPoints, upstream.origin, limits)
      const { listener } = opened.mounted
      records = opened.records
      server = createServer(
        (incoming, outgoing) => void gate.pass(outgoing).then(() => listener(incoming, outgoing)),
      )
    } else {
      const opened = await openMounted(openHonoPoints, upstream.origin, limits)
      records = opened.records
      const site = new Hono<{ Bindings: HttpBindings }>()
        .use(async (context, next) => {
          await gate.pass(context.env.outgoing)
          await next()
        })
        .route('/', opened.mounted.app)
      server = createAdaptorServer({ fetch: site.fetch }) as Server
    }
    port = await listenForTest(server)
  })

  const expectRoom = async () => {
    gate = { pass: async () => {} }
    const clients = await Promise.all(Array.from({ length: LIMIT }, () => openClient(port)))
    for (const client of clients) client.write(GET)
    for (const client of clients) expect((await client.response()).startLine).toBe('HTTP/1.1 200 OK')
    for (const client of clients) client.close()
  }

  it.each(['resetAndDestroy', 'destroy'] as const)(
    'free the place of a client that has left, %s',
    async (leave) => {
      for (let round = 0; round <= LIMIT; round += 1) {
        const late = new Promise<void>((resolve) => {
          gate = {
            pass: async (outgoing) => {
              const closed = once(outgoing, 'close')
              client.then(({ socket }) => socket[leave]())
              await closed
              setImmediate(resolve)
            },
          }
        })
        const client = openClient(port)
        ;(await client).write(GET)
        await late
      }
      await expectRoom()
      expect(upstream.requests).toHaveLength(LIMIT)
    },
  )

  it('free the place of a response that was destroyed', async () => {
    for (let round = 0; round <= LIMIT; round += 1) {
      gate = { pass: async (outgoing) => void outgoing.destroy() }
      const client = await openClient(port)
      client.write(GET)
      await client.ended()
    }
    await expectRoom()
    expect(upstream.requests).toHaveLength(LIMIT)
  })

  it('leave a response alone that is complete', async () => {
    for (let round = 0; round <= LIMIT; round += 1) {
      gate = { pass: async (outgoing) => void outgoing.end('the site') }
      const client = await openClient(port)
      client.write(GET)
      expect((await client.response()).body).toBe('the site')
      client.close()
    }
    expect(records).toEqual([])
    await expectRoom()
    expect(upstream.requests).toHaveLength(LIMIT)
  })
})
