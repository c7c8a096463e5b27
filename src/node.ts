import type { IncomingMessage } from 'node:http'
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
  return { listener: fromReceivedTarget(listener), close }
}

/**
 * Express and Connect cut the mount path off `url` and let middleware rewrite it; the request-target as it came in is
 * in `originalUrl`. Octets that are matched must be those that came, so that is what the exchange reads.
 */
function fromReceivedTarget(begin: Begin): Begin {
  return (incoming: IncomingMessage & { originalUrl?: unknown }, outgoing, next) => {
    const { url, originalUrl } = incoming
    if (typeof originalUrl !== 'string' || originalUrl === url) return begin(incoming, outgoing, next)
    incoming.url = originalUrl
    const restored = () => {
      if (url !== undefined) incoming.url = url
      next?.()
    }
    begin(incoming, outgoing, next === undefined ? undefined : restored)
  }
}
