import { createRequire } from 'node:module'
import type { Client } from 'undici'
import { errorCode } from '../../forward/error-code.ts'

const ownRequire = createRequire(import.meta.url)
let loaded: typeof Client | undefined

/**
 * undici's Client, with the parser that it reads from disk at its first connection. undici's main entry also loads fetch,
 * caches, mocks and WebSockets, which takes three times as long.
 */
export function loadClient(): typeof Client {
  loaded ??= findClient(ownRequire)
  return loaded
}

/** Loads only the files of the Client, or undici's main entry if a later version keeps them elsewhere. */
export function findClient(require: (name: string) => unknown): typeof Client {
  const found =
    (find(require, 'undici/lib/dispatcher/client.js') as typeof Client | undefined) ??
    (require('undici') as { readonly Client: typeof Client }).Client
  find(require, 'undici/lib/llhttp/llhttp_simd-wasm.js')
  return found
}

function find(require: (name: string) => unknown, name: string): unknown {
  try {
    return require(name)
  } catch (error) {
    if (MISSING.has(errorCode(error))) return undefined
    throw error
  }
}

const MISSING: ReadonlySet<string> = new Set(['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'])
