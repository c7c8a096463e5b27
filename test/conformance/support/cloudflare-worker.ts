import { startModuleText } from '../../edge/support/workerd.ts'
import { freePort } from '../../front-ends/support/real-server.ts'
import { renderConfig } from '../../front-ends/support/rendered.ts'
import { KEY, PREFIX, type StartedPoint } from './started-point.ts'

/** The Worker that `render` writes for Cloudflare, on a host name that is loopback. */
export async function startCloudflareWorker(serviceUrl: string): Promise<StartedPoint> {
  const port = await freePort()
  const url = `http://www.shop.localhost:${port}${PREFIX}`
  const config = { service: { url: serviceUrl }, widgetKey: 'env:WIDGET_KEY', points: [url] }
  const text = renderConfig('cloudflare-worker', 'forward', config)
  const { close } = await startModuleText(text, { WIDGET_KEY: KEY }, port)
  return { url, close }
}
