/** The library for Hono programs that @hono/node-server serves: use `app`. */
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
