import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/account.ts'
import {
  freePort,
  type RealServer,
  servers,
  skips,
  startServer,
} from '../../front-ends/support/real-server.ts'
import { prefix } from '../a-config.ts'
import { liveCheck } from './live-check.ts'

/** A config as people write them, with one mistake or none. */
interface Setup {
  readonly name: string
  /** Failed rules, warnings too. */
  readonly blamed: readonly string[]
  readonly text: (place: Place) => string
}

interface Place {
  readonly port: number
  /** `127.0.0.1:port`. */
  readonly service: string
  readonly origin: string
  /** Where its workers may write; gone afterwards. */
  readonly cache: string
}

const nginxSetups: readonly Setup[] = [
  nginx('all right', [], {}),
  nginx('its default proxy_redirect', ['live/redirect'], { redirect: '' }),
  nginx('no Host for the service', ['live/forwarded'], { host: 'proxy_set_header Host $http_host;' }),
  nginx('a proxy_pass with a path', ['live/methods'], {
    pass: ({ service }) => `proxy_pass http://${service}${prefix};`,
  }),
  nginx('a proxy_pass with a wrong path', ['live/forwarded'], {
    pass: ({ service }) => `proxy_pass http://${service}/;`,
  }),
  nginx('a proxy_cookie_path', ['live/set-cookie'], { extra: `proxy_cookie_path / ${prefix};` }),
  nginx('a proxy_cookie_domain', ['live/set-cookie'], {
    extra: 'proxy_cookie_domain 127.0.0.1 www.shop.localhost;',
  }),
  nginx('a hidden Set-Cookie', ['live/set-cookie'], { extra: 'proxy_hide_header Set-Cookie;' }),
  nginx('no Cookie', ['live/set-cookie'], { extra: 'proxy_set_header Cookie "";' }),
  nginx('no widget key', ['live/widget-key'], { key: '' }),
  nginx('the wrong key', ['live/widget-key'], { key: 'proxy_set_header X-Widget-Key wrong;' }),
  nginx('no origin', ['live/origin'], { origin: () => '' }),
  nginx('an origin with https', ['live/origin'], {
    origin: ({ origin }) => `proxy_set_header X-Continuation-Origin ${origin.replace('http:', 'https:')};`,
  }),
  nginx('a cache', ['live/cached'], { extra: 'proxy_cache all; proxy_cache_valid 200 1m;' }),
  nginx('a cache that ignores the query', ['live/cached'], {
    extra: 'proxy_cache all; proxy_cache_valid 200 1m; proxy_cache_key $uri;',
  }),
  nginx('its default header buffers', ['live/header-size'], { buffers: '' }),
  nginx('answers for every website', ['live/cors'], {
    extra: 'add_header Access-Control-Allow-Origin $http_origin always;',
  }),
  nginx('GET and HEAD alone', ['live/methods'], { extra: 'limit_except GET { deny all; }' }),
  nginx('a body limit of nothing', ['live/methods'], { extra: 'client_max_body_size 1;' }),
  nginx('a redirect to https', ['live/redirect'], { extra: 'return 301 https://$host$request_uri;' }),
  nginx('the site in its place', ['live/forwarded'], { extra: 'return 200 "welcome";' }),
  nginx('a service that is not there', ['live/forwarded'], { pass: () => 'proxy_pass http://127.0.0.1:1;' }),
]

const caddySetups: readonly Setup[] = [
  caddy('all right', [], {}),
  caddy('no Host for the service', ['live/forwarded'], { host: '' }),
  caddy('no widget key', ['live/widget-key'], { key: '' }),
  caddy('no origin', ['live/origin'], { origin: () => '' }),
  caddy('a field added to the one that came', ['live/origin'], {
    origin: ({ origin }) => `header_up +X-Continuation-Origin ${origin}`,
  }),
  caddy('no Set-Cookie', ['live/set-cookie'], { extra: 'header_down -Set-Cookie' }),
  caddy('another Location', ['live/redirect'], {
    extra: 'header_down Location "http://[^/]+" "https://www.example.com"',
  }),
  caddy('answers for every website', ['live/cors'], { extra: 'header_down Access-Control-Allow-Origin *' }),
  caddy('a redirect', ['live/redirect'], { before: 'redir * /login 302' }),
]

for (const [name, setups] of [
  ['nginx', nginxSetups],
  ['caddy', caddySetups],
] as const) {
  const server = servers.find((each) => each.name === name)
  describe.skipIf(server === undefined || skips(server))(`a real ${name}`, () => {
    let sandbox: Sandbox

    beforeAll(async () => {
      sandbox = await startSandbox()
    })

    afterAll(() => sandbox.close())

    it.each(setups)('with $name: $blamed', async (setup) => {
      if (server === undefined) throw new Error('It is not known')
      expect(await checkServer(server, setup, sandbox)).toEqual(setup.blamed)
    })
  })
}

async function checkServer(
  server: RealServer,
  { text }: Setup,
  sandbox: Sandbox,
): Promise<readonly string[]> {
  const port = await freePort()
  const origin = `http://www.shop.localhost:${port}`
  const point = `${origin}${prefix}`
  sandbox.setAccount(demoAccount({ cookie_transfer_urls: [point] }))
  const place = {
    port,
    origin,
    service: new URL(sandbox.url).host,
    cache: join(tmpdir(), `front-end-cache-${port}`),
  }
  const running = await startServer(server, text(place), port)
  try {
    const { failed } = await liveCheck({
      points: [point],
      pages: [`${origin}/`],
      service: sandbox.url,
      widgetKey: 'demo-widget-key',
    })
    return failed
  } finally {
    await running.close()
    await rm(place.cache, { recursive: true, force: true })
  }
}

interface NginxParts {
  readonly pass?: (place: Place) => string
  readonly redirect?: string
  readonly host?: string
  readonly key?: string
  readonly origin?: (place: Place) => string
  readonly buffers?: string
  readonly extra?: string
}

function nginx(name: string, blamed: readonly string[], parts: NginxParts): Setup {
  const {
    pass = ({ service }: Place) => `proxy_pass http://${service};`,
    redirect = 'proxy_redirect off;',
    host = 'proxy_set_header Host $proxy_host;',
    key = 'proxy_set_header X-Widget-Key demo-widget-key;',
    origin = (place: Place) => `proxy_set_header X-Continuation-Origin ${place.origin};`,
    buffers = 'large_client_header_buffers 4 64k;',
    extra = '',
  } = parts
  return {
    name,
    blamed,
    text: (place) => `worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  proxy_cache_path ${place.cache} keys_zone=all:1m;
  server {
    listen 127.0.0.1:${place.port};
    ${buffers}
    location ^~ ${prefix} {
      ${pass(place)} ${redirect} ${host} ${key} ${origin(place)} ${extra}
    }
  }
}
`,
  }
}

interface CaddyParts {
  readonly host?: string
  readonly key?: string
  readonly origin?: (place: Place) => string
  readonly before?: string
  readonly extra?: string
}

function caddy(name: string, blamed: readonly string[], parts: CaddyParts): Setup {
  const {
    host = 'header_up Host {upstream_hostport}',
    key = 'header_up X-Widget-Key demo-widget-key',
    origin = (place: Place) => `header_up X-Continuation-Origin ${place.origin}`,
    before = '',
    extra = '',
  } = parts
  return {
    name,
    blamed,
    text: (place) => `{
  auto_https off
}
http://www.shop.localhost:${place.port} {
  bind 127.0.0.1
  ${before}
  handle ${prefix}* {
    reverse_proxy http://${place.service} {
      ${host}
      ${key}
      ${origin(place)}
      ${extra}
    }
  }
}
`,
  }
}
