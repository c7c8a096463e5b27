import { createRequire } from 'node:module'
import type { Client } from 'undici'

const ownRequire = createRequire(import.meta.url)
let loaded: typeof Client | undefined

/**
 * undici's Client, loaded for the first connection. undici's main entry also loads fetch, caches, mocks and WebSockets,
 * which takes three times as long, before the first request could be accepted.
 */
export function loadClient(): typeof Client {
  loaded ??= findClient(ownRequire)
  return loaded
}

/** Loads only the file of the Client, or undici's main entry if a later version keeps that file elsewhere. */
export function findClient(require: (name: string) => unknown): typeof Client {
  try {
    return require('undici/lib/dispatcher/client.js') as typeof Client
  } catch {
    return (require('undici') as { readonly Client: typeof Client }).Client
  }
}
