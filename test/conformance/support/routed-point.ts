import { type RoutingServer, startRouted } from '../../front-ends/support/routed-front-end.ts'
import { SHOP } from '../../front-ends/support/typical-site.ts'
import { KEY, PREFIX, type StartedPoint } from './started-point.ts'

interface RoutedPoint {
  readonly scheme?: 'http' | 'https'
  readonly cookiePath?: string
  readonly trustedProxies?: readonly string[]
}

/** Starts a server in front of its own `serve`, with a point on a cookie path if one is given. */
export function routedPoint(
  server: RoutingServer,
  { scheme = 'http', cookiePath = '', trustedProxies = ['loopback'] }: RoutedPoint = {},
): (serviceUrl: string) => Promise<StartedPoint> {
  return async (serviceUrl) => {
    const { points, close } = await startRouted(server, serviceUrl, {
      toPoints: (port) =>
        [...new Set(['', cookiePath])].map((path) => `${scheme}://${SHOP}:${port}${path}${PREFIX}`),
      trustedProxies,
      config: { widgetKey: KEY },
      rendered: { widgetKey: 'env:WIDGET_KEY' },
    })
    return { url: points.at(-1) ?? '', close }
  }
}
