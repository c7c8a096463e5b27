import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type ConfigInput, type JsonConfigInput, parseConfigInput } from './config/config-input.ts'
import { loadConfig } from './config/load.ts'
import { ConfigError } from './config/problem.ts'
import { readTextFile } from './config/read-text-file.ts'
import { resolveConfig } from './forward/resolved-config.ts'
import { type Begin, createApp, type ProxyApp } from './proxy/app.ts'
import type { ExchangeRecord } from './proxy/exchange-record.ts'
import { openProxy } from './proxy/proxy.ts'

export { type ConfigInput, defineConfig, type JsonConfigInput } from './config/config-input.ts'
export { ConfigError } from './config/problem.ts'
export type { Begin, ProxyApp } from './proxy/app.ts'
export type { ExchangeRecord } from './proxy/exchange-record.ts'

export interface AppOptions {
  /** Values of `env:NAME` references; usually `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * Called once for each request that was not passed to the site, when it ends; not for one whose client disconnected
   * before its turn came. Of what the client and the service sent, the record contains the method, the status, the
   * authority and an `id` from a trusted peer; `peerAddress` is complete, unlike in the log of `serve`.
   */
  readonly onExchange?: (record: ExchangeRecord) => void
}

/** Continuation points inside another program. */
export interface ContinuationApp {
  /**
   * A Hono app for @hono/node-server. Served by itself (`serve({ fetch: app.fetch })`) it answers every request; mounted
   * with `site.route('/', app)` it passes requests that no point owns to the routes behind it. Mount it before anything
   * that reads bodies: a request whose body was read gets 500, and its record has the outcome `body-taken`.
   */
  readonly app: ProxyApp
  /**
   * `(incoming, outgoing, next)` for node:http, Express, Connect, Koa, Fastify or a Next.js server: handles requests that
   * a point owns and passes the rest to `next`, or refuses them if it is not given. Mount it before what reads bodies, too.
   */
  readonly listener: Begin
  /** Waits for exchanges to end, then closes the connections to the service. */
  close(): Promise<void>
}

/**
 * Opens the continuation points of a config. Its keys for listeners and logs are for the command `serve` alone.
 *
 * @param config the config, or the path of its file; only `serve` reads `CONTINUATION_…` variables
 * @throws ConfigError with all problems at once
 * @example
 * import { createServer } from 'node:http'
 * import { openPoints } from 'continuation-point'
 *
 * const points = await openPoints('config.json', { env: process.env })
 * createServer({ maxHeaderSize: 65_536 }, points.listener).listen(8080)
 */
export async function openPoints(
  config: string | ConfigInput | JsonConfigInput,
  options: AppOptions = {},
): Promise<ContinuationApp> {
  const source = { env: options.env ?? {}, readFile: (path: string) => readTextFile(path) }
  const parsed =
    typeof config === 'string'
      ? await loadConfig({ file: config, flags: {}, env: {}, readFile: source.readFile })
      : parseConfigInput(config)
  if ('problems' in parsed) throw new ConfigError(parsed.problems)
  const loaded = await resolveConfig(parsed.config, source)
  if ('problems' in loaded) throw new ConfigError(loaded.problems)
  const proxy = openProxy(loaded.resolved, options.onExchange ?? (() => {}))
  const { listener } = proxy
  return { app: createApp(listener, RESPONSE_ALREADY_SENT), listener, close: () => proxy.close() }
}

export { openPoints as createApp }
