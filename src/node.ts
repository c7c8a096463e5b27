import { type AppOptions, type ConfigInput, createApp } from './index.ts'
import type { Begin } from './proxy/app.ts'

export { type AppOptions, ConfigError, type ConfigInput, type ExchangeRecord } from './index.ts'
export type { Begin } from './proxy/app.ts'

/** Continuation points inside a program on node:http, or on a framework above it. */
export interface NodePoints {
  /**
   * `(incoming, outgoing, next)`: answers what a point owns and leaves the rest to `next`. It must come before whatever
   * reads bodies; a request whose body is gone is answered 500, and its record says `body-taken`.
   */
  readonly listener: Begin
  /** Lets exchanges end, then closes the connections to the service. */
  close(): Promise<void>
}

/**
 * Opens the continuation points of a config for node:http, Express, Connect, Koa, Fastify or a Next.js server.
 *
 * @throws ConfigError naming every fault at once
 */
export async function openPoints(config: ConfigInput, options: AppOptions = {}): Promise<NodePoints> {
  const { listener, close } = await createApp(config, options)
  return { listener, close }
}
