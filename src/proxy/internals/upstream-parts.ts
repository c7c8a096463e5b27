import { createRequire } from 'node:module'
import type undici from 'undici'

type Parts = Pick<typeof undici, 'buildConnector' | 'Client' | 'Pool'>

/**
 * The three parts of undici that are in use. Its front door opens fetch, caches, mocks and WebSockets too, which made
 * up a quarter of the time from start to listening; it is taken where a later version keeps these files elsewhere.
 */
export const parts: Parts = loadParts(createRequire(import.meta.url))

function loadParts(require: NodeJS.Require): Parts {
  try {
    return {
      buildConnector: require('undici/lib/core/connect.js'),
      Client: require('undici/lib/dispatcher/client.js'),
      Pool: require('undici/lib/dispatcher/pool.js'),
    }
  } catch {
    return require('undici')
  }
}
