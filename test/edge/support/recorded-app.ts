import { createEdgeApp, type EdgeOptions, type EdgeRecord } from '../../../src/edge.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { type Script, startUpstream } from '../../support/recording-upstream.ts'

export const POINT = 'https://www.example.com/service_cookie_transfer/'

/** An app over `fetch` in front of a service that answers by `script`, and its records so far. */
export async function openRecordedApp(
  script?: Script,
  overrides: Record<string, unknown> = {},
  options: EdgeOptions = {},
) {
  const service = await openForTest(startUpstream(script))
  const records: EdgeRecord[] = []
  const app = await createEdgeApp(
    { service: { url: service.origin }, widgetKey: 'env:KEY', points: [POINT], ...overrides },
    { env: { KEY: 'edge-key' }, onExchange: (record) => records.push(record), ...options },
  )
  return { service, app, records }
}
