import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { WebhookReceiver } from '../../src/webhooks/index.ts'
import { listen } from '../support/listen.ts'

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
  const { port, close } = await listen(createServer(listener))
  return { url: `http://127.0.0.1:${port}/hooks`, port, close }
}
