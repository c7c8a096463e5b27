/* Real web servers before our own proxy, in front of a service that reports nothing of what arrives. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  freePort,
  type RealServer,
  servers,
  skips,
  startServer,
} from '../../front-ends/support/real-server.ts'
import { WIDGET_KEY } from '../../support/front-ends/front-end.ts'
import { austere, lavish, opaque, type Service, startService } from '../../support/other-service.ts'
import { startProxy } from '../../support/start-proxy.ts'
import { prefix } from '../a-config.ts'
import { liveCheck } from './live-check.ts'

type Row = readonly [mistake: string, lines: string, blamed: readonly string[], service?: Service]

const nginxRows: readonly Row[] = [
  ['none', '', []],
  ['none, and many cookies come back', '', [], lavish],
  ['no Cookie', 'proxy_set_header Cookie "";', ['live/set-cookie']],
  ['no query', 'set $args "";', ['live/methods']],
  ['no body', 'proxy_pass_request_body off; proxy_set_header Content-Length "";', ['live/methods']],
  ['one method', 'proxy_method GET;', ['live/methods']],
  ['a decoded path', `rewrite ^(.*)$ $1 break;`, ['live/methods']],
  ['no Set-Cookie', 'proxy_hide_header Set-Cookie;', ['live/set-cookie'], lavish],
  ['another cookie path', 'proxy_cookie_path / /x/;', ['live/set-cookie'], lavish],
  [
    'another Location',
    'proxy_redirect ~^http://[^/]+/(.*)$ https://elsewhere.example/$1;',
    ['live/redirect'],
    lavish,
  ],
  [
    'a cache that obeys nobody',
    'proxy_cache all; proxy_cache_valid any 1m; proxy_ignore_headers Cache-Control Set-Cookie;',
    ['live/cached'],
    austere,
  ],
]

const haproxyRows: readonly Row[] = [
  ['none', '', []],
  ['none, and many cookies come back', '', [], lavish],
  ['no Cookie', 'http-request del-header Cookie', ['live/set-cookie']],
  ['no query', 'http-request set-uri %[path]', ['live/methods']],
  ['one method', 'http-request set-method GET', ['live/methods']],
  ['a decoded path', 'http-request set-path %[path,url_dec]', ['live/methods']],
  ['no Set-Cookie', 'http-response del-header Set-Cookie', ['live/set-cookie'], lavish],
  [
    'another Location',
    'http-response replace-header Location ^http://[^/]+(.*) https://elsewhere.example\\1',
    ['live/redirect'],
    lavish,
  ],
]

for (const [name, rows, toText] of [
  ['nginx', nginxRows, toNginx],
  ['haproxy', haproxyRows, toHaproxy],
] as const) {
  const server = servers.find((each) => each.name === name)
  describe.skipIf(server === undefined || skips(server))(`${name} before our own proxy`, () => {
    const running = new Map<Service, Awaited<ReturnType<typeof startService>>>()
    const services = [opaque, lavish, austere]
    beforeAll(async () => {
      for (const service of services) running.set(service, await startService(service))
    })
    afterAll(async () => {
      for (const each of running.values()) await each.close()
    })

    it.each(rows.map((row) => ({ row, mistake: row[0] })))('with this mistake: $mistake', async ({ row }) => {
      const [, lines, blamed, service = opaque]: Row = row
      const { url = '' } = running.get(service) ?? {}
      const checked = await checkBehind(server as RealServer, (port, to) => toText(port, to, lines), url)
      expect(checked.failed).toEqual(blamed)
      const open = checked.findings.filter(({ outcome }) => outcome === 'inconclusive')
      expect(open.map(({ id }) => id)).toEqual(['live/allowed'])
    })
  })
}

async function checkBehind(
  server: RealServer,
  toText: (port: number, to: number) => string,
  service: string,
) {
  const port = await freePort()
  const origin = `http://www.shop.localhost:${port}`
  const points = [`${origin}${prefix}`]
  const proxy = await startProxy(service, { points, widgetKey: WIDGET_KEY })
  const frontEnd = await startServer(server, toText(port, proxy.port), port)
  try {
    return await liveCheck({ points, pages: [`${origin}/`], service, widgetKey: WIDGET_KEY })
  } finally {
    await frontEnd.close()
    await proxy.close()
  }
}

function toNginx(port: number, to: number, lines: string): string {
  return `worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  proxy_cache_path /tmp/front-end-cache-${port} keys_zone=all:1m;
  server {
    listen 127.0.0.1:${port};
    large_client_header_buffers 4 64k;
    location ^~ ${prefix} {
      proxy_pass http://127.0.0.1:${to};
      proxy_set_header Host $http_host; proxy_http_version 1.1; ${lines}
    }
  }
}
`
}

function toHaproxy(port: number, to: number, lines: string): string {
  return `global
  tune.bufsize 65536
defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend site
  bind 127.0.0.1:${port}
  default_backend points
backend points
  ${lines}
  server one 127.0.0.1:${to}
`
}
