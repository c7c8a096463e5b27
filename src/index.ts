import { readFile } from 'node:fs/promises'
import { ConfigError } from './config/config-error.ts'
import { type ConfigInput, type JsonConfigInput, parseConfigInput } from './config/config-input.ts'
import { loadConfig } from './config/load.ts'
import { resolveConfig } from './forward/resolved-config.ts'
import type { Begin, ProxyApp } from './proxy/app.ts'
import type { ExchangeRecord } from './proxy/exchange-record.ts'
import { openProxy } from './proxy/proxy.ts'

export { ConfigError } from './config/config-error.ts'
export { type ConfigInput, defineConfig, type JsonConfigInput } from './config/config-input.ts'
export type { Begin, ProxyApp } from './proxy/app.ts'
export type { ExchangeRecord } from './proxy/exchange-record.ts'

export interface AppOptions {
  /** Where `env:NAME` references are looked up; usually `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * Called once for each request that was not left to the site, when it is over; never for one whose client had left
   * before its turn came. Of what the client and the service sent it holds the method, and an `id` that a trusted peer
   * gave; `peerAddress` is whole, which `serve` leaves out.
   */
  readonly onExchange?: (record: ExchangeRecord) => void
}

/** Continuation points inside a program of one's own. */
export interface ContinuationApp {
  /**
   * A Hono app for @hono/node-server. Served by itself (`serve({ fetch: app.fetch })`) it answers every request; mounted
   * with `site.route('/', app)` it leaves what no point owns to the routes behind it. It must come before whatever reads
   * bodies: a request whose body is gone is answered 500, and its record says `body-taken`.
   */
  readonly app: ProxyApp
  /**
   * `(incoming, outgoing, next)` for node:http, Express, Connect, Koa, Fastify or a Next.js server: answers what a point
   * owns and leaves the rest to `next`, or refuses it where there is none. It too must come before whatever reads bodies.
   */
  readonly listener: Begin
  /** Lets exchanges end, then closes the connections to the service. */
  close(): Promise<void>
}

/**
 * Opens the continuation points of a config. Keys of the config about listeners, logs and workers belong to the `serve`
 * command and are passed over.
 *
 * @param config the config, or the path of its file; `CONTINUATION_…` variables are read by `serve` alone
 * @throws ConfigError naming every fault at once
 */
export async function openPoints(
  config: string | ConfigInput | JsonConfigInput,
  options: AppOptions = {},
): Promise<ContinuationApp> {
  const source = { env: options.env ?? {}, readFile: (path: string) => readFile(path, 'utf8') }
  const parsed =
    typeof config === 'string'
      ? await loadConfig({ file: config, flags: {}, env: {}, readFile: source.readFile })
      : parseConfigInput(config)
  if ('problems' in parsed) throw new ConfigError(parsed.problems)
  const loaded = await resolveConfig(parsed.config, source)
  if ('problems' in loaded) throw new ConfigError(loaded.problems)
  const proxy = openProxy(loaded.resolved, options.onExchange ?? (() => {}))
  return { app: proxy.app, listener: proxy.listener, close: () => proxy.close() }
}

export { openPoints as createApp }
