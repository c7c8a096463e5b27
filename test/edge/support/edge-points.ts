import { serve } from '@hono/node-server'
import { createEdgeApp } from '../../../src/edge.ts'
import { KEY, PREFIX, type StartedPoint } from '../../conformance/support/started-point.ts'
import { freePort } from '../../front-ends/support/real-server.ts'
import { startWorker } from './workerd.ts'

// The suite has the service cut responses off. @hono/node-server, which offers no other way, prints the error of each.
const print = console.error
console.error = (...words) => {
  const [error] = words
  if (!(error instanceof TypeError && error.message === 'terminated')) print(...words)
}

/** A point over Node's `fetch`, behind @hono/node-server. */
export async function startNodePoint(serviceUrl: string, cookiePath = ''): Promise<StartedPoint> {
  const { url, port, config } = await toSetUp(serviceUrl, cookiePath)
  const app = await createEdgeApp(config)
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

/** A point in workerd. */
export async function startWorkerPoint(serviceUrl: string): Promise<StartedPoint> {
  const { url, port, config } = await toSetUp(serviceUrl, '')
  const worker = await startWorker(config, port)
  return { url, close: () => worker.close() }
}

async function toSetUp(serviceUrl: string, cookiePath: string) {
  const port = await freePort()
  const url = `http://www.shop.localhost:${port}${cookiePath}${PREFIX}`
  return { url, port, config: { service: { url: serviceUrl }, widgetKey: KEY, points: [url] } }
}
