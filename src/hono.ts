/**
 * The library for Hono apps on @hono/node-server: use `app`.
 *
 * @example
 * import { serve } from '@hono/node-server'
 * import { openPoints } from 'continuation-point/hono'
 * import { Hono } from 'hono'
 *
 * const points = await openPoints('config.json', { env: process.env })
 * const site = new Hono()
 * site.route('/', points.app) // before everything that reads request bodies
 * site.get('/', (context) => context.text('the site'))
 * serve({ fetch: site.fetch, port: 3000, serverOptions: { maxHeaderSize: 65_536 } })
 */
export {
  type AppOptions,
  ConfigError,
  type ConfigInput,
  type ContinuationApp as HonoPoints,
  defineConfig,
  type ExchangeRecord,
  type JsonConfigInput,
  openPoints,
  type ProxyApp,
} from './index.ts'
