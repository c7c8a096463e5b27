import { createRequire } from 'node:module'
import type { Client } from 'undici'

const ownRequire = createRequire(import.meta.url)
let loaded: typeof Client | undefined

/**
 * undici's Client, loaded for the first connection. undici's front door opens fetch, caches, mocks and WebSockets too:
 * three times the work, done before the first request could be accepted.
 */
export function loadClient(): typeof Client {
  loaded ??= findClient(ownRequire)
  return loaded
}

/** Takes the file of the Client alone, or the front door where a later version keeps that file elsewhere. */
export function findClient(require: (name: string) => unknown): typeof Client {
  try {
    return require('undici/lib/dispatcher/client.js') as typeof Client
  } catch {
    return (require('undici') as { readonly Client: typeof Client }).Client
  }
}
