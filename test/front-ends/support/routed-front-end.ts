import { startProxy } from '../../support/start-proxy.ts'
import { freePort, type RealServer, type SiteFiles, startSite } from './real-server.ts'
import { renderConfig } from './rendered.ts'

/** A server that routes to `serve`, with the site that it has when it takes what `render` makes for it. */
export interface RoutingServer {
  readonly name: string
  readonly isMissing: boolean
  /** Those of its `serve`, loopback by default. */
  readonly trustedProxies?: readonly string[]
  toServer(text: string, port: number): RealServer
  toFiles(text: string, port: number): SiteFiles
}

export interface Routing {
  /** By default one on `HOST`. */
  toPoints?(port: number): readonly string[]
  /** Of `serve`, where it has others as well. */
  toServedPoints?(port: number): readonly string[]
  /** Of both, besides the points. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Of what is rendered only. */
  readonly rendered?: Readonly<Record<string, unknown>>
}

/** Starts a server on what `render` makes for it, in front of a `serve` of its own. */
export async function startRouted(
  { name, trustedProxies = ['loopback'], toServer, toFiles }: RoutingServer,
  serviceUrl: string,
  { toPoints = toPointsOfHost, toServedPoints = toPoints, config = {}, rendered = {} }: Routing = {},
) {
  const port = await freePort()
  const points = toPoints(port)
  const proxy = await startProxy(serviceUrl, {
    ...config,
    points: toServedPoints(port),
    listen: { trustedProxies },
  })
  const text = renderConfig(
    name,
    'route',
    { service: { url: serviceUrl }, ...config, points, ...rendered },
    `127.0.0.1:${proxy.port}`,
  )
  const server = await startSite(toServer(text, port), toFiles(text, port), port)
  return {
    port,
    points,
    server,
    close: async () => {
      await server.close()
      await proxy.close()
    },
  }
}

export const HOST = 'www.example.com'

export function toPointsOfHost(port: number): readonly string[] {
  return [`http://${HOST}:${port}/service_cookie_transfer/`]
}
