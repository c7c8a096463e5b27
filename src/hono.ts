/** The library for Hono apps on @hono/node-server: use `app`. */
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
