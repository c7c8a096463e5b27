import { freePort, type RealServer, startServer } from '../../render/support/real-server.ts'
import { renderConfig } from '../../render/support/rendered.ts'
import { startProxy } from '../../support/start-proxy.ts'
import { KEY, PREFIX, type StartedPoint } from './started-point.ts'

/** A server on the whole file that `render` makes for it, in front of a `serve` of its own, on plain http. */
export async function startWholeFrontEnd(
  name: string,
  toServer: (text: string, port: number) => RealServer,
  serviceUrl: string,
  {
    trustedProxies = ['loopback'],
    toText = (text) => text,
  }: {
    readonly trustedProxies?: readonly string[]
    readonly toText?: (text: string, port: number) => string
  } = {},
): Promise<StartedPoint> {
  const port = await freePort()
  const points = [`http://www.shop.localhost:${port}${PREFIX}`]
  const proxy = await startProxy(serviceUrl, { widgetKey: KEY, points, listen: { trustedProxies } })
  const config = { service: { url: serviceUrl }, widgetKey: 'env:WIDGET_KEY', points }
  const text = renderConfig(name, 'route', config, `127.0.0.1:${proxy.port}`)
  const server = await startServer(toServer(text, port), toText(text, port), port)
  return {
    url: points[0] ?? '',
    close: async () => {
      await server.close()
      await proxy.close()
    },
  }
}
