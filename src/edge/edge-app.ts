import { type Context, Hono } from 'hono'
import { answerOverFetch, type EdgeRecord } from './edge-exchange.ts'
import type { EdgeSettings } from './edge-settings.ts'

/** The continuation points as a Hono app; `app.fetch` is all that a runtime needs. */
export type EdgeApp = Hono

export interface EdgeAppOptions {
  /** The client's address as the runtime tells it, for X-Forwarded-For; absent, none is sent. */
  readonly clientAddress?: (context: Context) => string | undefined
  /** Called once for each request, when its answer begins. */
  readonly onExchange?: (record: EdgeRecord) => void
}

/** Wires exchanges over `fetch` into Hono. Routing is not Hono's: the point table decides alone. */
export function toEdgeApp(settings: EdgeSettings, options: EdgeAppOptions): EdgeApp {
  const { clientAddress = () => undefined, onExchange = () => {} } = options
  const app = new Hono({ getPath: () => '/' })
  app.all('/', async (context) => {
    const { response, record } = await answerOverFetch(context.req.raw, clientAddress(context), settings)
    onExchange(record)
    return response
  })
  return app
}
