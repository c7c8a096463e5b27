import { serve } from '@hono/node-server'
import { expect, it } from 'vitest'
import { createEdgeApp } from '../../src/edge.ts'
import {
  failuresOf,
  judgePoint,
  KEY,
  PREFIX,
  type StartedPoint,
} from '../conformance/support/started-point.ts'
import { freePort } from '../render/support/real-server.ts'

it.each([
  ['on the root', ''],
  ['on a cookie path', '/shop'],
])('%s, in Node’s fetch, only what fetch can’t keep is lost', async (_where, cookiePath) => {
  const result = await judgePoint((serviceUrl) => startEdgePoint(serviceUrl, cookiePath))
  expect(failuresOf(result)).toEqual(LOST)
})

/** Each is a `should`. The reason phrase is lost by @hono/node-server, the others by `fetch` and `Request`. */
const LOST = [
  'target/empty-query',
  'field/repeated',
  'field/case',
  'answer/reason',
  'answer/field-case',
  'answer/repeated',
  'answer/coded',
]

async function startEdgePoint(serviceUrl: string, cookiePath: string): Promise<StartedPoint> {
  const port = await freePort()
  const url = `http://www.shop.localhost:${port}${cookiePath}${PREFIX}`
  const app = await createEdgeApp({ service: { url: serviceUrl }, widgetKey: KEY, points: [url] })
  const server = serve({
    fetch: app.fetch,
    port,
    hostname: '127.0.0.1',
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize: 65_536 },
  })
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
