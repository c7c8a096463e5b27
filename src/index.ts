import { readFile } from 'node:fs/promises'
import { ConfigError } from './config/config-error.ts'
import type { ConfigInput } from './config/config-input.ts'
import { parseConfig } from './config/parse.ts'
import { type Begin, type ProxyApp, toApp } from './proxy/app.ts'
import type { ExchangeRecord } from './proxy/exchange-record.ts'
import { openProxy } from './proxy/proxy.ts'
import { toServable } from './proxy/servable.ts'
import { compileSettings } from './proxy/settings.ts'

export { ConfigError } from './config/config-error.ts'
export type { ConfigInput } from './config/config-input.ts'
export type { Begin, ProxyApp } from './proxy/app.ts'
export type { ExchangeRecord } from './proxy/exchange-record.ts'

export interface AppOptions {
  /** Where `env:NAME` references are looked up; usually `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Called once for each request, when it is over; it holds nothing that a client or the service sent. */
  readonly onExchange?: (record: ExchangeRecord) => void
}

/** Continuation points inside a program of one's own. */
export interface ContinuationApp {
  /** A Hono app for @hono/node-server: `serve({ fetch: app.fetch })`. */
  readonly app: ProxyApp
  /** Connect's `(incoming, outgoing, next)`: a request that no point owns is left to `next`. */
  readonly listener: Begin
  /** Lets exchanges end, then closes the connections to the service. */
  close(): Promise<void>
}

/**
 * Makes the continuation points of a config ready to serve. Keys of the config about listeners, logs and workers
 * belong to the `serve` command and are passed over.
 *
 * @throws ConfigError naming every fault at once
 */
export async function createApp(config: ConfigInput, options: AppOptions = {}): Promise<ContinuationApp> {
  const parsed = parseConfig(JSON.stringify(config), 'config')
  if ('problems' in parsed) throw new ConfigError(parsed.problems)
  const source = { env: options.env ?? {}, readFile: (path: string) => readFile(path, 'utf8') }
  const loaded = await toServable(parsed.config, source)
  if ('problems' in loaded) throw new ConfigError(loaded.problems)
  const proxy = openProxy(compileSettings(loaded.servable), options.onExchange ?? (() => {}))
  return { app: toApp(proxy.begin), listener: proxy.begin, close: () => proxy.close() }
}
