import { pemOf } from '../../support/certificates/certificate.ts'
import { openClient } from '../../support/raw-client.ts'
import {
  type RecordedRequest,
  type RecordingUpstream,
  type Script,
  startUpstream,
  type UpstreamOptions,
} from '../../support/recording-upstream.ts'
import { statusOf } from '../../support/stage.ts'
import { startProxy } from '../../support/start-proxy.ts'
import type { WireMessage } from '../../support/wire.ts'
import { freePort, type RealServer, type RunningServer, startSite } from './real-server.ts'
import { renderParts, toHostLines } from './rendered.ts'
import { smallestSites, toBlocks } from './smallest-site.ts'
import {
  AUTHORITY,
  KEY,
  type SiteChanges,
  type StartedSite,
  startTypicalSite,
  toFiles,
  toKeyFiles,
} from './started-site.ts'
import { certificateFile, SHOP } from './typical-site.ts'

/** A service that records, `serve` where it is needed, and a front end before them. */
export interface FrontEndStage {
  readonly upstream: RecordingUpstream
  readonly server: RunningServer
  readonly port: number
  /** Sends a request on a connection of its own. */
  ask(path: string, request?: Partial<AskedRequest>): Promise<Asked>
  close(): Promise<void>
}

interface AskedRequest {
  readonly method: string
  readonly host: string
  /** Field lines, each with its end. */
  readonly lines: string
  readonly body: string
}

interface Asked {
  readonly status: number
  readonly answer: WireMessage
  /** The interim responses before it. */
  readonly interim: readonly WireMessage[]
  /** What the service saw of it. */
  readonly seen: readonly RecordedRequest[]
}

type PointInput = string | { readonly url: string; readonly widgetKey: string }

interface PartsChanges {
  /** By default one on `HOST`. The key of a point names one of `keys`. */
  readonly toPoints?: (port: number) => readonly PointInput[]
  /** Of the config besides the points. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Widget keys, by name. */
  readonly keys?: Readonly<Record<string, string>>
  /** Of the text of the site. */
  readonly edit?: (text: string) => string
  /** The config of another site, with the lines that the steps of the parts have for its hosts. */
  readonly toText?: (lines: readonly string[], folder: string, port: number) => string
  readonly script?: Script
}

/** Opens a stage for a server whose smallest site includes parts. */
export async function openPartsStage(
  server: RealServer,
  mode: 'route' | 'forward',
  {
    toPoints = toPointsOfHost,
    config = {},
    keys = { WIDGET_KEY: KEY },
    edit = (text) => text,
    toText,
    script,
  }: PartsChanges = {},
): Promise<FrontEndStage> {
  const upstream = await startUpstream(script)
  const port = await freePort()
  const points = toPoints(port)
  const served = points.map((point) =>
    typeof point === 'string' ? point : { ...point, widgetKey: keys[point.widgetKey] },
  )
  const proxy =
    mode === 'forward'
      ? undefined
      : await startProxy(upstream.origin, { widgetKey: keys.WIDGET_KEY, ...config, points: served })
  const named = points.map((point) =>
    typeof point === 'string' ? point : { ...point, widgetKey: `env:${point.widgetKey}` },
  )
  const service = { url: upstream.origin, ...(config.service as object | undefined) }
  const rendered = { widgetKey: 'env:WIDGET_KEY', ...config, service, points: named }
  const parts = renderParts(server.name, mode, rendered, `127.0.0.1:${proxy?.port ?? 1}`)
  const urls = points.map((point) => (typeof point === 'string' ? point : point.url))
  const site = await startSite(
    server,
    (folder) => ({
      'server.conf': edit(
        toText?.(toHostLines(parts).flat(), folder, port) ??
          smallestSites[server.name]?.(toBlocks(parts, urls), folder) ??
          '',
      ),
      ...toFiles(parts),
      ...toKeyFiles(server, keys),
    }),
    port,
    keys,
  )
  const close = async () => {
    await site.close()
    await proxy?.close()
  }
  return toStage(upstream, { server: site, port, close })
}

export interface TypicalChanges extends SiteChanges {
  readonly script?: Script
  /** The service has this certificate, and maybe an address in place of its name. */
  readonly certificate?: string
  readonly tls?: UpstreamOptions['tls']
  readonly serviceHost?: string
  readonly onConnection?: UpstreamOptions['onConnection']
}

/** Opens a stage for a server whose typical site includes parts; requests go to its TLS listener. */
export async function openTypicalStage(
  server: RealServer,
  mode: 'route' | 'forward',
  {
    script,
    certificate,
    tls,
    serviceHost = 'localhost',
    onConnection,
    service,
    ...changes
  }: TypicalChanges = {},
): Promise<FrontEndStage & { readonly site: StartedSite }> {
  const upstream = await startUpstream(script, {
    ...(certificate !== undefined && {
      tls: { key: pemOf(`${certificate}.key`), cert: pemOf(`${certificate}.cert`), ...tls },
    }),
    ...(onConnection && { onConnection }),
  })
  const trust = certificate === undefined ? {} : { ca: `file:${certificateFile('authority', 'cert')}` }
  const url = certificate === undefined ? upstream.origin : `https://${serviceHost}:${upstream.port}`
  const site = await startTypicalSite(server, mode, url, { ...changes, service: { ...trust, ...service } })
  return { ...toStage(upstream, { ...site, port: site.tlsPort }, SHOP), site }
}

/** @param tlsName of the site, if it is asked over TLS */
function toStage(
  upstream: RecordingUpstream,
  { server, port, close }: Pick<FrontEndStage, 'server' | 'port' | 'close'>,
  tlsName?: string,
): FrontEndStage {
  return {
    upstream,
    server,
    port,
    ask: async (
      path,
      { method = 'GET', host = `${tlsName ?? HOST}:${port}`, lines = '', body = '' } = {},
    ) => {
      const before = upstream.requests.length
      const tls = { ca: AUTHORITY, servername: host.replace(/:\d+$/, '') }
      const client = await openClient(port, tlsName === undefined ? undefined : tls)
      client.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n${body}`)
      const answer = await client.response(method)
      client.close()
      return {
        status: statusOf(answer),
        answer,
        interim: client.interim,
        seen: upstream.requests.slice(before),
      }
    },
    close: async () => {
      await close()
      await upstream.close()
    },
  }
}

export const HOST = 'www.example.com'

function toPointsOfHost(port: number): readonly string[] {
  return [`http://${HOST}:${port}/service_cookie_transfer/`]
}
