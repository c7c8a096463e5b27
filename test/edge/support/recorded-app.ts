import { createEdgeApp, type EdgeApp, type EdgeOptions, type EdgeRecord } from '../../../src/edge.ts'

export const POINT = 'https://www.example.com/service_cookie_transfer/'

/** An app over `fetch` in front of `serviceUrl`, and its records so far. */
export async function openRecordedApp(
  serviceUrl: string,
  overrides: Record<string, unknown> = {},
  options: EdgeOptions = {},
): Promise<{ readonly app: EdgeApp; readonly records: readonly EdgeRecord[] }> {
  const records: EdgeRecord[] = []
  const app = await createEdgeApp(
    { service: { url: serviceUrl }, widgetKey: 'env:KEY', points: [POINT], ...overrides },
    { env: { KEY: 'edge-key' }, onExchange: (record) => records.push(record), ...options },
  )
  return { app, records }
}
