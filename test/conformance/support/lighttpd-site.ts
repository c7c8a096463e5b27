import { lighttpd } from '../../render/support/lighttpd.ts'
import { freePort, startSite } from '../../render/support/real-server.ts'
import { renderConfig } from '../../render/support/rendered.ts'
import { SHOP } from '../../render/support/typical-site.ts'
import { startProxy } from '../../support/start-proxy.ts'
import { KEY, PREFIX, type StartedPoint } from './started-point.ts'

/** A site with a field and a redirect of its own, which includes the file; Debian packs TLS and compression apart. */
function toSite(port: number, folder: string): string {
  return `server.document-root = "${folder}"
server.bind = "127.0.0.1"
server.port = ${port}
server.modules = ( "mod_setenv", "mod_redirect" )
setenv.set-response-header = ( "X-Frame-Options" => "DENY" )
url.redirect = ( "^/old$" => "/new" )
include "continuation-point.conf"
`
}

/** lighttpd in front of a `serve` of its own, with a point on a cookie path. */
export async function startLighttpdSite(serviceUrl: string): Promise<StartedPoint> {
  const port = await freePort()
  const points = [`http://${SHOP}:${port}${PREFIX}`, `http://${SHOP}:${port}/shop${PREFIX}`]
  const proxy = await startProxy(serviceUrl, { widgetKey: KEY, points })
  const config = { service: { url: serviceUrl }, widgetKey: 'env:WIDGET_KEY', points }
  const text = renderConfig('lighttpd', 'route', config, `127.0.0.1:${proxy.port}`)
  const server = await startSite(
    lighttpd,
    (folder) => ({ 'server.conf': toSite(port, folder), 'continuation-point.conf': text }),
    port,
  )
  return {
    url: points[1] ?? '',
    close: async () => {
      await server.close()
      await proxy.close()
    },
  }
}
