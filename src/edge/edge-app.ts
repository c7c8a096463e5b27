import { type Context, Hono } from 'hono'
import { answerOverFetch, answerThrown, type EdgeRecord } from './edge-exchange.ts'
import type { EdgeSettings } from './edge-settings.ts'

/** The continuation points as a Hono app; a runtime needs only `app.fetch`. */
export type EdgeApp = Hono

export interface EdgeAppOptions {
  /** Returns the client's address, if the runtime knows it, for X-Forwarded-For; without it, none is sent. */
  readonly clientAddress?: (context: Context) => string | undefined
  /**
   * Called once for each request, when its response begins. An error that it throws does not affect the response: it is
   * rethrown as an uncaught error, on which Node ends the process unless there is a listener.
   */
  readonly onExchange?: (record: EdgeRecord) => void
}

/** Connects exchanges over `fetch` to Hono. Hono's routing is bypassed: only the point table decides. */
export function createApp(settings: EdgeSettings, options: EdgeAppOptions): EdgeApp {
  const { clientAddress = () => undefined, onExchange = () => {} } = options
  const app = new Hono({ getPath: () => '/' })
  app.all('/', async (context) => {
    const { response, record } = await answerOverFetch(context.req.raw, clientAddress(context), settings)
    tell(onExchange, record)
    return response
  })
  app.onError((error, { req }) => {
    const { response, record } = answerThrown(error, req.method)
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
