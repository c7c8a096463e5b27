import { readFile } from 'node:fs/promises'
import type { ResolvedConfig } from '../../src/forward/resolved-config.ts'
import type { ExchangeRecord } from '../../src/proxy/exchange-record.ts'
import { type ContinuationProxy, openProxy } from '../../src/proxy/proxy.ts'
import { type Listener, startListener } from '../../src/serve/listener.ts'
import { resolvedConfigOf } from './config-of.ts'
import { Watch } from './watch.ts'

export interface RunningProxy {
  readonly port: number
  readonly proxy: ContinuationProxy
  readonly listener: Listener
  readonly records: ExchangeRecord[]
  /** New exchanges use a config with these overrides, as after SIGHUP. */
  reload(overrides: Record<string, unknown>): Promise<void>
  /** Resolves when `count` exchanges are over. */
  recorded(count: number): Promise<void>
  close(): Promise<void>
}

/** The host and widget key for tests to which they don't matter. */
export const POINT_HOST = 'www.example.com'
export const WIDGET_KEY = 'test-widget-key'

/**
 * Starts the proxy as `serve` does, in this process: config text through the real parser, a real listener on port 0.
 * `overrides` are merged over a config with points on http://www.example.com, `/` and `/shop`.
 */
export async function startProxy(
  serviceUrl: string,
  overrides: Record<string, unknown> = {},
): Promise<RunningProxy> {
  const resolved = await load(serviceUrl, overrides)
  const records: ExchangeRecord[] = []
  const watch = new Watch()
  const proxy = openProxy(resolved, (record) => {
    records.push(record)
    watch.notify()
  })
  const listener = await startListener(
    {
      host: '127.0.0.1',
      port: 0,
      tls: resolved.tls,
      headLimitBytes: resolved.config.limits.headerBytes,
      headTimeoutMs: resolved.config.timeouts.idleMs,
    },
    proxy,
  )
  return {
    port: listener.port,
    proxy,
    listener,
    records,
    reload: async (changed) => proxy.replace(await load(serviceUrl, changed)),
    recorded: (count) => watch.until(() => records.length >= count),
    close: async () => {
      const drained = listener.drain()
      listener.destroy()
      await drained
      await proxy.destroy()
    },
  }
}

async function load(serviceUrl: string, overrides: Record<string, unknown>): Promise<ResolvedConfig> {
  const config = {
    widgetKey: WIDGET_KEY,
    points: [
      `http://${POINT_HOST}/service_cookie_transfer/`,
      `http://${POINT_HOST}/shop/service_cookie_transfer/`,
    ],
    admin: null,
    ...overrides,
    service: { url: serviceUrl, ...(overrides.service as object | undefined) },
    listen: { port: 0, ...(overrides.listen as object | undefined) },
  }
  return resolvedConfigOf(config, (path) => readFile(path, 'utf8'))
}
