/** The library for programs on node:http, Express, Connect, Koa, Fastify, Next.js, Nuxt or SvelteKit: use `listener`. */
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
