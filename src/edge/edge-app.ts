import { type Context, Hono } from 'hono'
import { answerOverFetch, type EdgeRecord } from './edge-exchange.ts'
import type { EdgeSettings } from './edge-settings.ts'

/** The continuation points as a Hono app; `app.fetch` is all that a runtime needs. */
export type EdgeApp = Hono

export interface EdgeAppOptions {
  /** The client's address as the runtime tells it, for X-Forwarded-For; absent, none is sent. */
  readonly clientAddress?: (context: Context) => string | undefined
  /**
   * Called once for each request, when its answer begins. What it throws doesn't touch the answer: it is thrown again
   * outside the exchange, as an uncaught error of the runtime, for which Node ends a process without a listener.
   */
  readonly onExchange?: (record: EdgeRecord) => void
}

/** Wires exchanges over `fetch` into Hono. Routing is not Hono's: the point table decides alone. */
export function toEdgeApp(settings: EdgeSettings, options: EdgeAppOptions): EdgeApp {
  const { clientAddress = () => undefined, onExchange = () => {} } = options
  const app = new Hono({ getPath: () => '/' })
  app.all('/', async (context) => {
    const { response, record } = await answerOverFetch(context.req.raw, clientAddress(context), settings)
    tell(onExchange, record)
    return response
  })
  return app
}

function tell(onExchange: (record: EdgeRecord) => void, record: EdgeRecord): void {
  try {
    onExchange(record)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
