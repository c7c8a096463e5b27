import { type RoutingServer, startRouted } from '../../front-ends/support/routed-front-end.ts'
import { SHOP } from '../../front-ends/support/typical-site.ts'
import { KEY, PREFIX, type StartedPoint } from './started-point.ts'

/** A server in front of its own `serve`, with a point on a cookie path if one is given. */
export async function startRoutedPoint(
  server: RoutingServer,
  serviceUrl: string,
  {
    scheme = 'http',
    cookiePath = '',
  }: { readonly scheme?: 'http' | 'https'; readonly cookiePath?: string } = {},
): Promise<StartedPoint> {
  const { points, close } = await startRouted(server, serviceUrl, {
    toPoints: (port) =>
      [...new Set(['', cookiePath])].map((path) => `${scheme}://${SHOP}:${port}${path}${PREFIX}`),
    config: { widgetKey: KEY },
    rendered: { widgetKey: 'env:WIDGET_KEY' },
  })
  return { url: points.at(-1) ?? '', close }
}
