import type { ConfigInput, ExchangeRecord } from '../../src/node.ts'
import { openForTest } from './open-for-test.ts'
import { POINT_HOST } from './start-proxy.ts'
import { Watch } from './watch.ts'

interface Options {
  readonly env: Readonly<Record<string, string>>
  readonly onExchange: (record: ExchangeRecord) => void
}

/** What a program mounts, opened before a service until the test ends: by `openPoints` of an entry, or `createApp`. */
export async function openMounted<Mounted extends { close(): unknown }>(
  open: (config: ConfigInput, options: Options) => Promise<Mounted>,
  serviceUrl: string,
  limits: ConfigInput['limits'] = {},
) {
  const records: ExchangeRecord[] = []
  const watch = new Watch()
  const config = {
    service: { url: serviceUrl },
    widgetKey: 'env:KEY',
    points: [`http://${POINT_HOST}/service_cookie_transfer/`],
    limits,
  }
  const onExchange = (record: ExchangeRecord) => {
    records.push(record)
    watch.notify()
  }
  const mounted = await openForTest(open(config, { env: { KEY: 'a-key' }, onExchange }))
  /** Resolves when `count` exchanges are over. */
  const recorded = (count: number) => watch.until(() => records.length >= count)
  return { mounted, records, recorded }
}
