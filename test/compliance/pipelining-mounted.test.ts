import { createServer, type RequestListener } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ExchangeRecord, type NodePoints, openPoints } from '../../src/node.ts'
import { listenForTest } from '../support/listen.ts'
import { openMounted } from '../support/mounted.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient, type RawClient } from '../support/raw-client.ts'
import { answerOk, type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { turns } from '../support/until.ts'

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`
const point = (name: string) => get(`/service_cookie_transfer/${name}`)

describe('pipelined requests, some of them the site’s', () => {
  let upstream: RecordingUpstream
  let points: NodePoints
  let records: ExchangeRecord[]
  let port: number
  let client: RawClient

  beforeEach(async () => {
    upstream = await openForTest(startUpstream(answerOk))
    ;({ mounted: points, records } = await openMounted(openPoints, upstream.origin))
  })

  it('a point’s request waits for the site’s response before it', async () => {
    const site = toGate<() => void>()
    client = await open((incoming, outgoing) =>
      points.listener(incoming, outgoing, () => site.resolve(() => outgoing.end('the site'))),
    )
    client.write(get('/slow') + point('x'))
    const answer = await site.promise
    await turns()
    expect(upstream.sockets).toHaveLength(0)
    answer()
    expect((await client.response()).body).toBe('the site')
    expect((await client.response()).body).toBe('ok')
  })

  it('requests run in the order of arrival, whatever middleware does', async () => {
    const first = toGate<void>()
    client = await open(async (incoming, outgoing) => {
      if (incoming.url?.endsWith('/first') === true) await first.promise
      points.listener(incoming, outgoing)
    })
    client.write(point('first') + point('second'))
    await turns()
    expect(upstream.sockets).toHaveLength(0)
    first.resolve()
    await client.response()
    await client.response()
    expect(upstream.requests.map(({ startLine }) => startLine)).toEqual([
      'GET /service_cookie_transfer/first HTTP/1.1',
      'GET /service_cookie_transfer/second HTTP/1.1',
    ])
  })

  it('nothing is left of a client that leaves while the site responds', async () => {
    const site = toGate<() => void>()
    client = await open((incoming, outgoing) =>
      points.listener(incoming, outgoing, () => site.resolve(() => outgoing.end('the site'.repeat(1e6)))),
    )
    client.write(get('/slow') + point('x'))
    const answer = await site.promise
    client.socket.resetAndDestroy()
    answer()
    client = await openForTest(openClient(port))
    client.write(point('y'))
    expect((await client.response()).body).toBe('ok')
    expect(upstream.requests.map(({ startLine }) => startLine)).toEqual([
      'GET /service_cookie_transfer/y HTTP/1.1',
    ])
    expect(records).toHaveLength(1)
  })

  async function open(listener: RequestListener): Promise<RawClient> {
    port = await listenForTest(createServer(listener))
    return openForTest(openClient(port))
  }
})

interface Gate<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
}

function toGate<T>(): Gate<T> {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((onValue) => {
    resolve = onValue
  })
  return { promise, resolve }
}
