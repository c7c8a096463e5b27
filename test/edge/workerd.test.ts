import { expect, it } from 'vitest'
import {
  failuresOf,
  judgePoint,
  KEY,
  PREFIX,
  type StartedPoint,
} from '../conformance/support/started-point.ts'
import { freePort } from '../render/support/real-server.ts'
import { startWorker } from './support/workerd.ts'

it('in workerd, only what fetch can’t keep is lost', async () => {
  expect(failuresOf(await judgePoint(startWorkerPoint))).toEqual(LOST)
}, 60_000)

/** Each is a `should`. Octets above 0x7F are UTF-8 to workerd; that a client left it tells too late, or not at all. */
const LOST = [
  'target/empty-query',
  'field/repeated',
  'field/case',
  'field/octets',
  'cookie/octets',
  'set-cookie/strange',
  'answer/field-case',
  'answer/repeated',
  'answer/coded',
  'abort/client-leaves',
]

async function startWorkerPoint(serviceUrl: string): Promise<StartedPoint> {
  const port = await freePort()
  const url = `http://www.shop.localhost:${port}${PREFIX}`
  const worker = await startWorker({ service: { url: serviceUrl }, widgetKey: KEY, points: [url] }, port)
  return { url, close: () => worker.close() }
}
