import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askOnce } from '../support/raw-client.ts'
import { valuesOf } from '../support/wire.ts'
import { type FrontEndStage, openPartsStage } from './support/front-end-stage.ts'
import { freePort, servers, skips } from './support/real-server.ts'
import { AUTHORITY, PREFIX } from './support/started-site.ts'
import { certificateFile, nginxFolders } from './support/typical-site.ts'

const KEYS = { WIDGET_KEY: 'the-key', OTHER_KEY: 'the-other-key' }

describe.each(servers.filter(({ name }) => name === 'nginx'))('$name', (server) => {
  describe.skipIf(skips(server)).each(['route', 'forward'] as const)(
    'one server block with two names, both schemes, three ports and limits of its own, %s',
    (mode) => {
      let stage: FrontEndStage
      let ports: { http: number; more: number; https: number }

      beforeAll(async () => {
        const [more, https] = [await freePort(), await freePort()]
        const other = (url: string) => ({ url, widgetKey: 'OTHER_KEY' })
        stage = await openPartsStage(server, mode, {
          keys: KEYS,
          toPoints: (http) => [
            `http://example.com:${http}${PREFIX}`,
            other(`http://www.example.com:${http}${PREFIX}`),
            other(`http://www.example.com:${http}/shop${PREFIX}`),
            `http://localhost:${http}${PREFIX}`,
            other(`http://localhost:${more}${PREFIX}`),
            `https://localhost:${https}${PREFIX}`,
            `https://localhost:${https}/shop${PREFIX}`,
          ],
          toText: (lines, folder, http) => {
            expect(lines).toHaveLength(1)
            return `events {}
http {
  ${nginxFolders(folder)}
  access_log off;
  error_log ${folder}/site.log;
  include conf.d/*.conf;
  server {
    listen 127.0.0.1:${http};
    listen 127.0.0.1:${more};
    listen 127.0.0.1:${https} ssl;
    ssl_certificate ${certificateFile('service', 'cert')};
    ssl_certificate_key ${certificateFile('service', 'key')};
    server_name example.com www.example.com localhost;
    large_client_header_buffers 8 64k;
    location / { return 404; }
    ${lines[0]}
  }
}
`
          },
        })
        ports = { http: stage.port, more, https }
      }, 30_000)
      afterAll(() => stage?.close())

      it.each([
        ['http', 'example.com', PREFIX, 200, 'the-key'],
        ['http', 'www.example.com', PREFIX, 200, 'the-other-key'],
        ['http', 'www.example.com', `/shop${PREFIX}`, 200, 'the-other-key'],
        // A point of the other name.
        ['http', 'example.com', `/shop${PREFIX}`, 404, undefined],
        ['http', 'localhost', PREFIX, 200, 'the-key'],
        ['more', 'localhost', PREFIX, 200, 'the-other-key'],
        ['https', 'localhost', PREFIX, 200, 'the-key'],
        ['https', 'localhost', `/shop${PREFIX}`, 200, 'the-key'],
        // A point of the other scheme.
        ['http', 'localhost', `/shop${PREFIX}`, 404, undefined],
      ] as const)('%s, %s%s', async (end, host, path, status, key) => {
        const before = stage.upstream.requests.length
        const authority = `${host}:${ports[end]}`
        const { startLine } = await askOnce(
          ports[end],
          `GET ${path} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`,
          end === 'https' ? { ca: AUTHORITY, servername: host } : undefined,
        )
        const [seen] = stage.upstream.requests.slice(before)
        expect(startLine).toContain(` ${status} `)
        expect(seen && [valuesOf(seen, 'x-widget-key'), valuesOf(seen, 'x-continuation-origin')]).toEqual(
          key && [[key], [`${end === 'https' ? 'https' : 'http'}://${authority}`]],
        )
      })

      // As over HTTP/3, which Debian's nginx does not have.
      it('knows its name without a Host line', async () => {
        await askOnce(ports.http, `GET ${PREFIX} HTTP/1.0\r\n\r\n`)
        const origin = valuesOf(stage.upstream.requests.at(-1) ?? { fields: [] }, 'x-continuation-origin')
        expect(origin).toEqual([`http://example.com:${ports.http}`])
      })
    },
  )
})
