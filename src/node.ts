/**
 * The library for programs on node:http, Express, Connect, Koa, Fastify, Next.js, Nuxt or SvelteKit: use `listener`.
 *
 * @example
 * import { createServer } from 'node:http'
 * import { openPoints } from 'continuation-point/node'
 *
 * const points = await openPoints('config.json', { env: process.env })
 * createServer({ maxHeaderSize: 65_536 }, (incoming, outgoing) =>
 *   points.listener(incoming, outgoing, () => outgoing.end('the site')),
 * ).listen(3000)
 */
export {
  type AppOptions,
  type Begin,
  ConfigError,
  type ConfigInput,
  type ContinuationApp as NodePoints,
  defineConfig,
  type ExchangeRecord,
  type JsonConfigInput,
  openPoints,
} from './index.ts'
