/** The library for Hono programs that @hono/node-server serves: use `app`. */
export {
  type AppOptions,
  ConfigError,
  type ConfigInput,
  type ContinuationApp as HonoPoints,
  type ExchangeRecord,
  openPoints,
  type ProxyApp,
} from './index.ts'
