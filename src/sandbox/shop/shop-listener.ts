import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createShop, type ShopOptions } from './shop.ts'

/** The shop as a listener for node:http, behind a proxy that serves the continuation points. */
export function shopListener(options: ShopOptions): RequestListener {
  return getRequestListener(createShop(options).fetch, { overrideGlobalObjects: false })
}
