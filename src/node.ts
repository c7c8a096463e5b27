/** The library for programs on node:http, Express, Connect, Koa, Fastify or Next.js: use `listener`. */
export {
  type AppOptions,
  type Begin,
  ConfigError,
  type ConfigInput,
  type ContinuationApp as NodePoints,
  type ExchangeRecord,
  openPoints,
} from './index.ts'
