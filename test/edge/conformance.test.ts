import { expect, it } from 'vitest'
import { findFailures } from '../conformance/support/started-point.ts'
import { openForTest } from '../support/open-for-test.ts'
import { askOnce } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { startNodePoint, startWorkerPoint } from './support/edge-points.ts'
import { skipsWorkerd } from './support/workerd.ts'

/** Each is a `should`, and we can't change any. */
const LOST_EVERYWHERE = [
  ...['target/empty-query', 'target/unlisted', 'target/query-unlisted'],
  ...['field/cache-control-free', 'field/repeated', 'field/case'],
]
/** `fetch` takes heads of 16 KiB there. */
const LOST_IN_NODE = ['set-cookie/32-kib']
const ANSWERS_LOST_EVERYWHERE = ['answer/reason', 'answer/field-case', 'answer/repeated', 'answer/coded']

it('in Node, on a cookie path, only what fetch can’t keep is lost', async () => {
  const lost = [...LOST_EVERYWHERE, ...LOST_IN_NODE, ...ANSWERS_LOST_EVERYWHERE]
  expect(await findFailures((serviceUrl) => startNodePoint(serviceUrl, '/shop'))).toEqual(lost)
}, 60_000)

it.skipIf(skipsWorkerd)(
  'in workerd, which reads octets above 0x7F as UTF-8 and does not report that a client left',
  async () => {
    expect(await findFailures(startWorkerPoint)).toEqual([
      ...LOST_EVERYWHERE,
      ...['field/octets', 'cookie/octets', 'set-cookie/strange'],
      ...ANSWERS_LOST_EVERYWHERE,
      'abort/client-leaves',
    ])
  },
  60_000,
)

it.skipIf(skipsWorkerd)(
  'in workerd a GET or HEAD goes on without its body, and none with a Host that is a part of a URL',
  async () => {
    const service = await openForTest(startUpstream())
    const { url } = await openForTest(startWorkerPoint(service.origin))
    const { host, port, pathname } = new URL(url)
    const ask = async (method: string, fields: string) =>
      (await askOnce(Number(port), `${method} ${pathname} HTTP/1.1\r\n${fields}`)).startLine.slice(9, 12)
    expect(await ask('GET', `Host: ${host}\r\nContent-Length: 3\r\n\r\nabc`)).toBe('200')
    expect(await ask('HEAD', `Host: ${host}\r\nContent-Length: 3\r\n\r\nabc`)).toBe('200')
    expect(await ask('GET', `Host: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).toBe('200')
    expect(await ask('GET', `Host: evil@${host}\r\n\r\n`)).toBe('400')
    expect(await ask('GET', `Host: ${host}${pathname}y?\r\n\r\n`)).toBe('400')
    expect(await ask('GET', `Host: ${host}\r\nHost: ${host}\r\n\r\n`)).toBe('400')
    expect(service.requests).toHaveLength(3)
    expect(service.octets.join()).not.toMatch(/content-length|transfer-encoding|abc/i)
  },
)
