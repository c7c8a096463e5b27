import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { type RunningProxy, startProxy } from '../support/start-proxy.ts'
import { valuesOf } from '../support/wire.ts'
import { freePort, type RunningServer, servers, skips, startSite } from './support/real-server.ts'
import { renderParts } from './support/rendered.ts'
import { smallestSites } from './support/smallest-site.ts'
import { toFiles } from './support/started-site.ts'

const PATH = '/service_cookie_transfer/'
const KEYS = { WIDGET_KEY: 'the-key', OTHER_KEY: 'the-other-key' }

describe.each(servers.filter(({ name }) => name === 'apache' || name === 'caddy'))('$name', (server) => {
  describe.skipIf(skips(server)).each(['route', 'forward'] as const)(
    'a site with several names, %s',
    (mode) => {
      let upstream: RecordingUpstream
      let proxy: RunningProxy
      let site: RunningServer
      let port: number

      beforeAll(async () => {
        upstream = await startUpstream()
        port = await freePort()
        const urls = [`http://example.com:${port}${PATH}`, `http://www.example.com:${port}${PATH}`] as const
        const points = (widgetKey: string) => [urls[0], { url: urls[1], widgetKey }]
        proxy = await startProxy(upstream.origin, {
          widgetKey: KEYS.WIDGET_KEY,
          points: points(KEYS.OTHER_KEY),
        })
        const service = { url: upstream.origin }
        const config = { service, widgetKey: 'env:WIDGET_KEY', points: points('env:OTHER_KEY') }
        const parts = renderParts(server.name, mode, config, `127.0.0.1:${proxy.port}`)
        const lines = parts.flatMap(({ steps }) =>
          steps
            .filter(({ what }) => /virtual host of|site block of/.test(what))
            .flatMap((step) => step.lines),
        )
        const block = { host: 'example.com', port, scheme: 'http', lines } as const
        const files = (folder: string) => ({
          'server.conf': addNames(smallestSites[server.name]?.([block], folder) ?? ''),
          ...toFiles(parts, folder),
        })
        site = await startSite(server, files, port, KEYS)
      }, 30_000)
      afterAll(async () => {
        await site?.close()
        await proxy.close()
        await upstream.close()
      })

      it.each([
        ['example.com', [['the-key']], true],
        ['www.example.com', [['the-other-key']], true],
        // A name without a point.
        ['other.example.com', [], false],
      ])('tells the service which name a call is for: %s', async (host, keys, hasPoint) => {
        const before = upstream.requests.length
        const client = await openClient(port)
        client.write(
          `GET ${PATH} HTTP/1.1\r\nHost: ${host}:${port}\r\nX-Widget-Key: forged\r\nX-Continuation-Origin: forged\r\n\r\n`,
        )
        const { startLine } = await client.response()
        client.close()
        const seen = upstream.requests.slice(before)
        expect(startLine).toMatch(hasPoint ? / 200 / : / 4\d\d /)
        expect(seen.map((request) => valuesOf(request, 'x-widget-key'))).toEqual(keys)
        expect(seen.map((request) => valuesOf(request, 'x-continuation-origin'))).toEqual(
          hasPoint ? [[`http://${host}:${port}`]] : [],
        )
      })
    },
  )
})

/** Two more, one of them without a point. */
function addNames(text: string): string {
  return text
    .replace(
      'ServerName example.com',
      'ServerName example.com\n  ServerAlias www.example.com other.example.com',
    )
    .replace(
      /^http:\/\/example\.com(:\d+) \{/m,
      'http://example.com$1, http://www.example.com$1, http://other.example.com$1 {',
    )
}
