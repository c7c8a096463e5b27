import { type AppOptions, type ConfigInput, createApp } from './index.ts'
import { type ProxyApp, toPart } from './proxy/app.ts'

export { type AppOptions, ConfigError, type ConfigInput, type ExchangeRecord } from './index.ts'
export type { ProxyApp } from './proxy/app.ts'

/** Continuation points inside a Hono app that @hono/node-server serves. */
export interface HonoPoints {
  /**
   * `site.route('/', app)`, before whatever reads bodies: answers what a point owns and leaves the rest to the routes
   * behind it. A request whose body is gone is answered 500, and its record says `body-taken`.
   */
  readonly app: ProxyApp
  /** Lets exchanges end, then closes the connections to the service. */
  close(): Promise<void>
}

/**
 * Opens the continuation points of a config as a part of a Hono app.
 *
 * @throws ConfigError naming every fault at once
 */
export async function openPoints(config: ConfigInput, options: AppOptions = {}): Promise<HonoPoints> {
  const { listener, close } = await createApp(config, options)
  return { app: toPart(listener), close }
}
