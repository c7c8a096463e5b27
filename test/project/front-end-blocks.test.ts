import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  checkSyntax,
  freePort,
  type RealServer,
  servers,
  skips,
  startServer,
} from '../front-ends/support/real-server.ts'
import { openClient } from '../support/raw-client.ts'
import { answerWith, startUpstream } from '../support/recording-upstream.ts'
import { startProxy } from '../support/start-proxy.ts'
import { blocks } from './documents.ts'

const certificate = (kind: string) =>
  fileURLToPath(new URL(`../support/certificates/service.${kind}.pem`, import.meta.url))

const APACHE_MODULES = ['mpm_event', 'authz_core', 'headers', 'proxy', 'proxy_http', 'rewrite', 'cache']

/** The smallest config around a block, with the block where its directives belong. */
const around: Readonly<Record<string, (text: string) => string>> = {
  nginx: (text) => {
    const isServer = /^(?:location|listen|ssl_certificate|large_client_header_buffers)\b/m.test(text)
    const body = isServer ? text : `location /point { ${text} }`
    return `events {} http { access_log off; server { ${body} } }`
  },
  apache: (text) =>
    `${APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ServerName localhost
Listen 127.0.0.1:8099
ErrorLog /dev/stderr
<VirtualHost 127.0.0.1:8099>
${text}
</VirtualHost>
`,
  caddy: (text) =>
    `{\n  auto_https off\n}\nhttp://localhost:8099 {\n  reverse_proxy 127.0.0.1:8080 {\n${text}\n  }\n}\n`,
  haproxy: (text) =>
    `defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend site
  bind 127.0.0.1:8099
  default_backend point
backend point
${text}
`,
}

const languages = servers.filter(({ name }) => blocks.some(({ language }) => language === name))

describe.each(languages)('$name blocks of the documents', (server) => {
  const own = blocks.filter(({ language }) => language === server.name)

  it.skipIf(skips(server))('are accepted by the server itself', async () => {
    expect(own.length).toBeGreaterThan(1)
    const faults = await Promise.all(own.map((block) => findFault(server, block.text, block.path)))
    expect(faults.filter((fault) => fault !== undefined)).toEqual([])
  })
})

async function findFault(server: RealServer, text: string, path: string): Promise<string | undefined> {
  const filled = text
    .replace('/etc/ssl/www.example.com.fullchain.pem', certificate('cert'))
    .replace('/etc/ssl/www.example.com.key', certificate('key'))
  const { code, output } = await checkSyntax(server, around[server.name]?.(filled) ?? '')
  return code === 0 ? undefined : `${path}\n${text}\n${output}`
}

describe.each(servers.filter(({ name }) => name === 'nginx'))(
  'the $name block to write by hand',
  (server) => {
    it.skipIf(skips(server))('routes both points to serve, and nothing else', async () => {
      const upstream = await startUpstream()
      const proxy = await startProxy(upstream.origin, { points: POINTS })
      const frontEnd = await startSite(server, proxy.port)
      const bodies = await askAll(frontEnd.port, [
        '/service_cookie_transfer/a%2Fb?q',
        '/shop/service_cookie_transfer/',
        '/service_cookie_transfer_other',
        '/',
      ])
      await frontEnd.close()
      await proxy.close()
      await upstream.close()
      expect(bodies).toEqual(['ok', 'ok', 'the site', 'the site'])
      expect(upstream.requests.map(({ startLine }) => startLine)).toEqual([
        'GET /service_cookie_transfer/a%2Fb?q HTTP/1.1',
        'GET /service_cookie_transfer/ HTTP/1.1',
      ])
      expect(upstream.requests[0]?.fields).toContainEqual(['X-Continuation-Origin', 'http://www.example.com'])
    })

    it.skipIf(skips(server)).each(['serve', 'the service'])(
      'shows nothing internal that the service asks for, in front of %s',
      async (behind) => {
        const upstream = await startUpstream(
          answerWith('HTTP/1.1 200 OK\r\nX-Accel-Redirect: /internal/\r\nContent-Length: 2\r\n\r\nok'),
        )
        const proxy = await startProxy(upstream.origin, { points: POINTS })
        const frontEnd = await startSite(server, behind === 'serve' ? proxy.port : upstream.port)
        const bodies = await askAll(frontEnd.port, ['/service_cookie_transfer/'])
        await frontEnd.close()
        await proxy.close()
        await upstream.close()
        expect(bodies).toEqual(['ok'])
      },
    )
  },
)

const POINTS = [
  'http://www.example.com/service_cookie_transfer/',
  'http://www.example.com/shop/service_cookie_transfer/',
]

/** A site with an internal location, and the block with the port of what is behind it. */
async function startSite(server: RealServer, behindPort: number) {
  const block = blocks.find(({ path, language }) => path === 'docs/front-ends.md' && language === 'nginx')
  expect(block?.text).toContain('proxy_pass http://127.0.0.1:8080;')
  const port = await freePort()
  const text = `events {}
http {
  access_log off;
  server {
    listen 127.0.0.1:${port};
    location / { return 200 "the site"; }
    location /internal/ { internal; return 200 "the site's secret"; }
    ${block?.text.replace('127.0.0.1:8080', `127.0.0.1:${behindPort}`)}
  }
}
`
  const started = await startServer(server, text, port)
  return { port, close: () => started.close() }
}

async function askAll(port: number, paths: readonly string[]): Promise<readonly string[]> {
  const client = await openClient(port)
  const bodies: string[] = []
  for (const path of paths) {
    client.write(`GET ${path} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`)
    bodies.push((await client.response()).body)
  }
  client.close()
  return bodies
}
