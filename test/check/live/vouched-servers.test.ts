/* A real web server before our own proxy, in front of a service that reports nothing of what arrives. */

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

const rows: readonly Row[] = [
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

const server = servers.find((each) => each.name === 'nginx')

describe.skipIf(server === undefined || skips(server))('nginx before our own proxy', () => {
  const running = new Map<Service, Awaited<ReturnType<typeof startService>>>()
  beforeAll(async () => {
    for (const service of [opaque, lavish, austere]) running.set(service, await startService(service))
  })
  afterAll(async () => {
    for (const each of running.values()) await each.close()
  })

  it.each(rows.map((row) => ({ row, mistake: row[0] })))('with this mistake: $mistake', async ({ row }) => {
    const [, lines, blamed, service = opaque]: Row = row
    const { url = '' } = running.get(service) ?? {}
    const checked = await checkBehind(server as RealServer, (port, to) => toNginx(port, to, lines), url)
    expect(checked.failed).toEqual(blamed)
    const open = checked.findings.filter(({ outcome }) => outcome === 'inconclusive')
    expect(open.map(({ id }) => id)).toEqual(['live/allowed'])
  })
})

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
