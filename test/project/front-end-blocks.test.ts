import { describe, expect, it } from 'vitest'
import {
  checkSyntax,
  freePort,
  type RealServer,
  servers,
  skips,
  startServer,
} from '../front-ends/support/real-server.ts'
import { loadModules } from '../front-ends/support/typical-site.ts'
import { certificate } from '../support/certificates/certificate.ts'
import { openForTest } from '../support/open-for-test.ts'
import { askOnce, openClient } from '../support/raw-client.ts'
import { answerWith, startUpstream } from '../support/recording-upstream.ts'
import { startProxy } from '../support/start-proxy.ts'
import { blocks, textOf } from './documents.ts'

/** The smallest config around a block, with the block where its directives belong. */
const around: Readonly<Record<string, (text: string) => string>> = {
  nginx: (text) => {
    const isServer = /^(?:location|listen|ssl_certificate|large_client_header_buffers)\b/m.test(text)
    const body = isServer ? text : `location /point { ${text} }`
    return `events {} http { access_log off; server { ${body} } }`
  },
  apache: (text) =>
    `${loadModules('mpm_event', 'authz_core', 'headers', 'proxy', 'proxy_http', 'rewrite', 'cache')}
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
  it.skipIf(skips(server))('are accepted by the server itself', async () => {
    const own = blocks.filter(({ language }) => language === server.name)
    expect(own.length).toBeGreaterThan(0)
    const faults = await Promise.all(own.map((block) => findFault(server, block.text, block.path)))
    expect(faults.filter((fault) => fault !== undefined)).toEqual([])
  })
})

async function findFault(server: RealServer, text: string, path: string): Promise<string | undefined> {
  const filled = text
    .replace('/etc/ssl/www.example.com.fullchain.pem', certificate('service.cert'))
    .replace('/etc/ssl/www.example.com.key', certificate('service.key'))
    .replace('https://cobrowse.example.net;', 'https://127.0.0.1;')
  const { code, output } = await checkSyntax(server, around[server.name]?.(filled) ?? '')
  return code === 0 ? undefined : `${path}\n${text}\n${output}`
}

const nginx = servers.find(({ name }) => name === 'nginx') as RealServer

describe.skipIf(skips(nginx))('the nginx block to write by hand', () => {
  it('routes both points to serve, and nothing else', async () => {
    const upstream = await openForTest(startUpstream())
    const proxy = await openForTest(startProxy(upstream.origin, { points: POINTS }))
    const port = await startSite(nginx, proxy.port)
    const bodies = await askAll(port, [
      '/service_cookie_transfer/a%2Fb?q',
      '/shop/service_cookie_transfer/',
      '/service_cookie_transfer_other',
      '/',
    ])
    expect(bodies).toEqual(['ok', 'ok', 'the site', 'the site'])
    expect(upstream.requests.map(({ startLine }) => startLine)).toEqual([
      'GET /service_cookie_transfer/a%2Fb?q HTTP/1.1',
      'GET /service_cookie_transfer/ HTTP/1.1',
    ])
    expect(upstream.requests[0]?.fields).toContainEqual(['X-Continuation-Origin', 'http://www.example.com'])
  })

  it('shows nothing internal that the service asks for', async () => {
    const upstream = await openForTest(
      startUpstream(
        answerWith('HTTP/1.1 200 OK\r\nX-Accel-Redirect: /internal/\r\nContent-Length: 2\r\n\r\nok'),
      ),
    )
    const proxy = await openForTest(startProxy(upstream.origin, { points: POINTS }))
    const port = await startSite(nginx, proxy.port)
    expect(await askAll(port, ['/service_cookie_transfer/'])).toEqual(['ok'])
  })
})

/** A site on loopback whose point consists of these lines. */
const sites: Readonly<Record<string, (port: number, lines: string) => string>> = {
  nginx: (port, lines) =>
    `events {} http { access_log off; server { listen 127.0.0.1:${port}; ${/location/.test(lines) ? lines : `location /service_cookie_transfer/ { ${lines} }`} } }`,
  apache: (port, lines) =>
    (around.apache?.(lines) ?? '').replaceAll(':8099', `:${port}`).replace('/dev/stderr', '/dev/null'),
  caddy: (port, lines) =>
    `{\n  auto_https off\n}\nhttp://www.example.com:${port} {\n  bind 127.0.0.1\n${lines}\n}\n`,
  haproxy: (port, lines) => (around.haproxy?.(lines) ?? '').replaceAll(':8099', `:${port}`),
}

/** What passes requests on to serve, where a block leaves that out. */
const passing: Readonly<Record<string, (lines: string) => string>> = {
  apache: (lines) =>
    `ProxyPass /service_cookie_transfer/ http://127.0.0.1:8080/service_cookie_transfer/ nocanon\nAllowEncodedSlashes NoDecode\n${lines}`,
  caddy: (lines) => `reverse_proxy 127.0.0.1:8080 {\n${lines}\n}`,
  haproxy: (lines) => `${lines}\nserver serve 127.0.0.1:8080`,
}

const pastes = ['404', '421'].flatMap((heading) => {
  const [section = ''] = (textOf('docs/troubleshooting.md').split(`\n### ${heading}\n`)[1] ?? '').split(
    '\n### ',
  )
  return [...section.matchAll(/```(nginx|apache|caddy|haproxy)\n([\s\S]*?)```/g)].map(
    ([, name = '', text = '']) => ({
      heading,
      name,
      text,
      server: servers.find((each) => each.name === name),
    }),
  )
})

it('there are blocks to paste for each front end', () => {
  const found = pastes.map(({ heading, name }) => `${heading}: ${name}`)
  expect(found).toEqual(['404: apache', '421: nginx', '421: apache', '421: caddy', '421: haproxy'])
})

describe.each(pastes)('the block under $heading for $name', ({ heading, name, text, server }) => {
  it.skipIf(server === undefined || skips(server))('works as it stands', async () => {
    if (server === undefined) return
    const upstream = await openForTest(startUpstream())
    const port = await freePort()
    const url = `http://www.example.com:${port}/service_cookie_transfer/`
    // With both schemes serve has to be told which.
    const points = heading === '421' ? [url, url.replace('http:', 'https:')] : [url]
    const proxy = await openForTest(startProxy(upstream.origin, { points }))
    const lines = heading === '421' ? (passing[name]?.(text) ?? text) : text
    const config = sites[name]?.(port, lines.replaceAll('127.0.0.1:8080', `127.0.0.1:${proxy.port}`)) ?? ''
    await openForTest(startServer(server, config, port))
    const forged = heading === '421' ? FORGED : ''
    const { startLine } = await askOnce(
      port,
      `GET /service_cookie_transfer/a%2Fb?q HTTP/1.1\r\nHost: www.example.com:${port}\r\n${forged}\r\n`,
    )
    expect(startLine).toContain(' 200 ')
    expect(upstream.requests[0]?.startLine).toBe('GET /service_cookie_transfer/a%2Fb?q HTTP/1.1')
  })
})

/** What serve believes, unless the front end decides it. */
const FORGED = 'X-Forwarded-Host: forged.example\r\nX-Forwarded-Proto: https\r\nForwarded: proto=https\r\n'

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
  await openForTest(startServer(server, text, port))
  return port
}

async function askAll(port: number, paths: readonly string[]): Promise<readonly string[]> {
  const client = await openClient(port)
  const bodies: string[] = []
  for (const path of paths) {
    client.write(`GET ${path} HTTP/1.1\r\nHost: www.example.com\r\n${FORGED}\r\n`)
    bodies.push((await client.response()).body)
  }
  client.close()
  return bodies
}
