import { pemOf } from '../../support/certificates/certificate.ts'
import { type RunningProxy, startProxy } from '../../support/start-proxy.ts'
import { freePort, type RealServer, type RunningServer, startSite } from './real-server.ts'
import { type RenderedPart, renderParts } from './rendered.ts'
import { OTHER, SHOP, typicalSites } from './typical-site.ts'

export const PREFIX = '/service_cookie_transfer/'
export const KEY = 'the-widget-key'

/** The authority of the certificates of the typical site. */
export const AUTHORITY = pemOf('authority.cert')

/** A typical site that runs, the parts of its front end included. */
export interface StartedSite {
  readonly server: RunningServer
  readonly tlsPort: number
  readonly plainPort: number
  /** On the cookie path of the shop. */
  readonly url: string
  close(): Promise<void>
}

/** What differs from the typical site. */
export interface SiteChanges {
  /** In the config, besides its URL. */
  readonly service?: Readonly<Record<string, string>>
  /** Of the text of the site. */
  readonly edit?: (text: string) => string
}

/** Starts the typical site of a server with points on both hosts, routed to a `serve` of its own or forwarding. */
export async function startTypicalSite(
  server: RealServer,
  mode: 'route' | 'forward',
  serviceUrl: string,
  { service = {}, edit = (text) => text }: SiteChanges = {},
): Promise<StartedSite> {
  const [tlsPort, plainPort] = [await freePort(), await freePort()]
  const points = [
    `https://${SHOP}:${tlsPort}${PREFIX}`,
    `https://${SHOP}:${tlsPort}/shop${PREFIX}`,
    `https://${OTHER}:${tlsPort}${PREFIX}`,
  ]
  let proxy: RunningProxy | undefined
  if (mode === 'route') proxy = await startProxy(serviceUrl, { widgetKey: KEY, points })
  const parts = renderParts(
    server.name,
    mode,
    { service: { url: serviceUrl, ...service }, widgetKey: 'env:WIDGET_KEY', points },
    `127.0.0.1:${proxy?.port ?? 1}`,
  )
  const toText = typicalSites[server.name]
  if (toText === undefined) throw new Error(`no typical site of ${server.name}`)
  const running = await startSite(
    server,
    (folder) => ({
      'server.conf': edit(
        toText({
          folder,
          tlsPort,
          plainPort,
          inShop: stepsFor(parts, SHOP),
          inOther: stepsFor(parts, OTHER),
        }),
      ),
      ...toFiles(parts),
      ...toKeyFiles(server),
      ...(server.name === 'haproxy' && { 'paths.map': '/shop/ basket\n' }),
    }),
    tlsPort,
    { WIDGET_KEY: KEY },
  )
  return {
    server: running,
    tlsPort,
    plainPort,
    url: points[1] ?? '',
    close: async () => {
      await running.close()
      await proxy?.close()
    },
  }
}

/** What has to be written for a host, by the steps of the parts. */
export function stepsFor(parts: readonly RenderedPart[], host: string): readonly string[] {
  return parts.flatMap(({ steps }) =>
    steps.filter(({ what }) => what.includes(host)).flatMap(({ lines }) => lines),
  )
}

export function toFiles(parts: readonly RenderedPart[]): Record<string, string> {
  return Object.fromEntries(parts.map(({ file, text }) => [file, text]))
}

/** What a user does by hand: files of the widget keys, where the server reads no environment. */
export function toKeyFiles(
  { name }: RealServer,
  keys: Readonly<Record<string, string>> = { WIDGET_KEY: KEY },
): Record<string, string> {
  if (name !== 'nginx') return {}
  return Object.fromEntries(
    Object.entries(keys).map(([keyName, key]) => [
      `continuation-point/${keyName}.conf`,
      `set $continuation_widget_key "${key}";\n`,
    ]),
  )
}
