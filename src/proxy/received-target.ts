import type { IncomingMessage } from 'node:http'
import type { Begin } from './app.ts'

/**
 * Express and Connect cut the mount path off `url` and let middleware rewrite it; the request-target as it came in is
 * in `originalUrl`. Octets that are matched must be those that came, so that is what the exchange reads.
 */
export function fromReceivedTarget(begin: Begin): Begin {
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
