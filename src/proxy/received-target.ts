import type { IncomingMessage } from 'node:http'
import type { Begin } from './app.ts'

/**
 * Express and Connect remove the mount path from `url` and let middleware rewrite it; the received request-target is in
 * `originalUrl`. Matching must use the received octets, so `url` is set to them while the exchange begins.
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
