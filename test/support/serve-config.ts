import { POINT_HOST, WIDGET_KEY } from './start-proxy.ts'

/** The text of a config that the built program serves on free ports, with one point and no admin listener. */
export function serveConfig(serviceUrl: string, changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    service: { url: serviceUrl },
    widgetKey: WIDGET_KEY,
    points: [`http://${POINT_HOST}/service_cookie_transfer/`],
    listen: { port: 0 },
    admin: null,
    ...changes,
  })
}
