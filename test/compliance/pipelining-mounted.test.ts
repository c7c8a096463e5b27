import { createServer, type RequestListener } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ExchangeRecord, type NodePoints, openPoints } from '../../src/node.ts'
import { listenForTest } from '../support/listen.ts'
import { openMounted } from '../support/mounted.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient, type RawClient } from '../support/raw-client.ts'
import { answerOk, type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { turns } from '../support/until.ts'
import { onlyValue } from '../support/wire.ts'

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`
const point = (name: string) => get(`/service_cookie_transfer/${name}`)

describe('requests sent ahead, some of them the site’s', () => {
  let upstream: RecordingUpstream
  let points: NodePoints
  let records: ExchangeRecord[]
  let port: number
  let client: RawClient

  beforeEach(async () => {
    upstream = await openForTest(startUpstream(answerOk))
    ;({ mounted: points, records } = await openMounted(openPoints, upstream.origin))
  })

  it('a point’s request is not begun behind the site’s response', async () => {
    const site = toGate<() => void>()
    const seen: unknown[] = []
    client = await open((incoming, outgoing) => {
      seen.push(incoming.url)
      points.listener(incoming, outgoing, () => site.resolve(() => outgoing.end('the site')))
    })
    client.write(get('/slow') + point('x') + get('/never'))
    const answer = await site.promise
    await turns()
    expect(upstream.sockets).toHaveLength(0)
    expect(seen).toEqual(['/slow', '/service_cookie_transfer/x'])
    answer()
    const response = await client.response()
    expect([response.body, onlyValue(response.fields, 'connection')]).toEqual(['the site', 'close'])
    expect(await client.ended()).toBe('end')
    expect(upstream.sockets).toHaveLength(0)
  })

  it('the site answers its own request behind a point’s', async () => {
    client = await open((incoming, outgoing) =>
      points.listener(incoming, outgoing, () => outgoing.end('the site')),
    )
    client.write(point('x') + get('/quick') + get('/last'))
    const bodies = [await client.response(), await client.response(), await client.response()]
    expect(bodies.map(({ body }) => body)).toEqual(['ok', 'the site', 'the site'])
  })

  it('a request that middleware lets pass too soon is not begun', async () => {
    const first = toGate<void>()
    client = await open(async (incoming, outgoing) => {
      if (incoming.url?.endsWith('/first') === true) await first.promise
      points.listener(incoming, outgoing)
    })
    client.write(point('first') + point('second'))
    await turns()
    expect(upstream.sockets).toHaveLength(0)
    first.resolve()
    expect(onlyValue((await client.response()).fields, 'connection')).toBe('close')
    expect(await client.ended()).toBe('end')
    expect(upstream.requests.map(({ startLine }) => startLine)).toEqual([
      'GET /service_cookie_transfer/first HTTP/1.1',
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
