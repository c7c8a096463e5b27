import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { WebhookReceiver } from '../../src/webhooks/index.ts'

export interface Door {
  /** Of the receiver, without its secret. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** A real server with one receiver behind it, for each way in. */
export const doors: Readonly<Record<string, (receiver: WebhookReceiver) => Promise<Door>>> = {
  'node:http': ({ listener }) => open(listener),
  Hono: ({ hono }) => {
    const app = new Hono()
    app.all('/hooks', hono)
    return open(getRequestListener(app.fetch))
  },
  fetch: ({ fetch }) => open(getRequestListener((request) => fetch(request))),
}

async function open(listener: Parameters<typeof createServer>[1]): Promise<Door> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
