import { fileURLToPath } from 'node:url'
import { servers as distributed, type RealServer } from '../../front-ends/support/real-server.ts'
import { varnishd } from '../../front-ends/support/varnish.ts'
import { type FrontEndText, PAGE, type Place } from './front-end-text.ts'
import { type Given, type SetUp, setUp } from './set-up.ts'

/** An app of Node; its config is the program. */
const nodeApp: RealServer = {
  name: 'node',
  binary: process.execPath,
  check: () => [],
  // Its fetch takes no head of an answer above this.
  run: (file) => ['--max-http-header-size=65536', file],
  env: () => ({}),
}

export const servers: readonly RealServer[] = [...distributed, varnishd('', 0), nodeApp]

/** What runs this text. Varnish has its port and its parameters on the command line. */
export function toServer(name: SetUp['server'], text: string, port: number): RealServer {
  const server = name === 'varnish' ? varnishd(text, port) : servers.find((each) => each.name === name)
  if (server === undefined) throw new Error('The server is not known')
  return server
}

const PREFIX = '/service_cookie_transfer/'

const SIZES =
  '-p http_max_hdr=512 -p http_req_hdr_len=64k -p http_req_size=64k -p http_resp_hdr_len=64k -p http_resp_size=128k -p workspace_client=256k -p workspace_backend=256k'

export const varnish: FrontEndText = {
  parts: ({ service, origin }, through) => ({
    sizes: SIZES,
    scheme: 'set req.http.X-Forwarded-Proto = "http";',
    ...(through === 'serve'
      ? {}
      : {
          host: `set req.http.Host = "${service}";`,
          key: 'set req.http.X-Widget-Key = "demo-widget-key";',
          origin: `set req.http.X-Continuation-Origin = "${origin}";`,
        }),
  }),
  text: ({ next }, { sizes = '', fetched = '', ...parts }) => `vcl 4.1;
# ${sizes}
backend next { .host = "127.0.0.1"; .port = "${next.replace(/^.*:/, '')}"; }
sub vcl_recv {
  if (req.url == "/") { return (synth(200)); }
  if (req.url !~ "^${PREFIX}") { return (synth(404)); }
  ${Object.values(parts).join('\n  ')}
  return (pass);
}
sub vcl_backend_response { ${fetched} }
sub vcl_synth {
  if (resp.status != 200) { return (deliver); }
  set resp.http.Content-Type = "text/html";
  synthetic({"${PAGE}"});
  return (deliver);
}
`,
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The points are mounted in an app of Express, or it forwards them by itself. */
export const node: FrontEndText = {
  parts: () => ({ head: 'maxHeaderSize: 65_536', mount: 'app.use(points.listener)' }),
  text: ({ port, point, service }, { head = '', before = '', mount = '' }) => `
const { createServer } = require('node:http')
const { Readable } = require('node:stream')
const express = require('${root}node_modules/express')
import('${root}dist/node.js').then(async ({ openPoints }) => {
  const service = { url: 'http://${service}' }
  const points = await openPoints({ service, widgetKey: 'demo-widget-key', apiKey: 'demo-api-key', points: ['${point}'] })
  const app = express()
  ${before}
  app.get('/', (incoming, outgoing) => outgoing.type('html').send('${PAGE}'))
  ${mount}
  createServer({ ${head} }, app).listen(${port}, '127.0.0.1')
})
`,
}

/** Mistakes of Varnish, and of apps. */
export const otherServers: readonly SetUp[] = [
  onVarnish('Varnish that drops cookies', {
    rule: 'live/set-cookie',
    cause: 'The Cookie line does not arrive',
    broken: { drop: 'unset req.http.Cookie;' },
    says: 'Forward the Cookie line unchanged',
  }),
  onVarnish('Varnish that keeps one Set-Cookie line', {
    rule: 'live/set-cookie',
    cause: 'Set-Cookie lines are lost',
    broken: { fetched: 'set beresp.http.Set-Cookie = beresp.http.Set-Cookie;' },
    says: 'Return every Set-Cookie line unchanged',
  }),
  onVarnish('Varnish that stores what has cookies', {
    rule: 'live/cached',
    cause: 'The answer to one request came back for another',
    broken: {
      store: 'if (req.method == "GET") { return (hash); }',
      fetched: 'set beresp.ttl = 60s; return (deliver);',
    },
    says: 'Bypass every cache for /service_cookie_transfer/*',
  }),
  onVarnish('Varnish that lets caches store answers', {
    rule: 'live/cached',
    cause: 'Caches may store what the service forbids them to store',
    broken: { fetched: 'set beresp.http.Cache-Control = "public, max-age=60";' },
    says: 'Leave Cache-Control as the service sends it',
  }),
  onVarnish('Varnish that drops queries', {
    rule: 'live/methods',
    cause: 'the query does not arrive as it was sent',
    broken: { query: 'set req.url = regsub(req.url, "\\?.*$", "");' },
    says: 'Forward path and query byte for byte',
  }),
  onVarnish('Varnish with its default sizes', {
    rule: 'live/response-size',
    cause: 'of Set-Cookie lines does not come back',
    also: ['live/header-size'],
    broken: { sizes: '' },
    says: 'Raise the limit for the heads of answers',
  }),
  onVarnish('Varnish with an error page of its own', {
    rule: 'live/errors',
    cause: "an error page in place of the service's answer: 500",
    broken: { fetched: 'if (beresp.status >= 500) { return (error(503)); }' },
    says: 'Turn off error pages for what the service answers',
  }),
  onVarnish('Varnish without the Host of the service', {
    through: 'service',
    cause: 'a Host that is not its own',
    broken: { host: '' },
    says: "Send the service's own Host",
  }),
  onVarnish('varnish, and serve down', {
    cause: 'Your web server answers 503 itself',
    broken: () => ({ serve: 'down' }),
    says: 'Start what it forwards to (continuation-point serve',
  }),
  inApp('an app that reads bodies before the points', {
    rule: 'live/methods',
    cause: 'something in front of the point reads its body first',
    says: 'before every body parser: app.use(points.listener) comes before express.json()',
    broken: { before: 'app.use(express.text({ type: () => true }))' },
  }),
  inApp('an app whose parser takes the JSON first', {
    remedy: 'allowMethods',
    rule: 'live/methods',
    cause: 'POST: with a body it gets no answer, and without one it does',
    broken: (place) => ({
      parts: { before: 'app.use(express.json())', mount: toPipe(place) },
      config: { timeouts: { headers: '5s' } },
    }),
    fixed: (place) => ({ parts: { before: '', mount: toPipe(place) } }),
    shows: ['within 6 s'],
  }),
  inApp('an app that compresses what is compressed', {
    remedy: 'keepCoding',
    cause: "The body of the answer can't be decoded",
    broken: (place) => ({ parts: { before: TWICE, mount: toFetch(place, 'manual') } }),
    fixed: (place) => ({ parts: { before: '', mount: toFetch(place, 'manual') } }),
    shows: ['the body is compressed twice, and Content-Encoding says gzip'],
  }),
  inApp('an app that gives the points GET alone', {
    remedy: 'allowMethods',
    rule: 'live/methods',
    cause: 'it does not reach the service',
    broken: { mount: "app.get('/*path', points.listener)" },
  }),
  inApp('an app that answers the preflights of every website', {
    remedy: 'leaveCrossOrigin',
    rule: 'live/cors',
    cause: 'Pages of any website',
    broken: {
      before: `app.use((incoming, outgoing, next) => {
        if (incoming.headers['access-control-request-method'] === undefined) return next()
        outgoing.set({ 'Access-Control-Allow-Origin': '*' }).status(204).end()
      })`,
    },
  }),
  inApp('an app that sends to a login before the points', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'to a login',
    broken: {
      before:
        "app.use((incoming, outgoing, next) => incoming.url === '/' ? next() : outgoing.redirect('/login'))",
    },
  }),
  inApp('an app with the header limit of Node', {
    remedy: 'allowLargeHeads',
    rule: 'live/header-size',
    cause: 'A Cookie line of 16 KiB does not arrive',
    broken: { head: 'maxHeaderSize: 16_384' },
  }),
  inApp('an app that forwards with fetch, which follows redirects', {
    remedy: 'returnRedirects',
    rule: 'live/redirect',
    cause: 'followed a redirect of the service',
    broken: (place) => ({ parts: { mount: toFetch(place, 'follow') } }),
    fixed: (place) => ({ parts: { mount: toFetch(place, 'manual') } }),
  }),
]

function onVarnish(name: string, given: Given): SetUp {
  return setUp(name, 'varnish', given)
}

function inApp(name: string, given: Given): SetUp {
  return setUp(name, 'node', { isNamed: true, through: 'service', says: 'mounted in an app: ', ...given })
}

const TWICE = `app.use((incoming, outgoing, next) => {
  const [writeHead, end, zip] = [outgoing.writeHead.bind(outgoing), outgoing.end.bind(outgoing), require('node:zlib').gzipSync]
  outgoing.writeHead = (status) => {
    outgoing.removeHeader('Content-Length')
    return writeHead(status, { 'Content-Encoding': 'gzip' })
  }
  outgoing.end = (body) => end(zip(zip(body)))
  if (incoming.url === '/') Object.assign(outgoing, { writeHead, end })
  next()
})`

/** An app that forwards with the length that it got, and waits for the body. */
function toPipe({ service, origin }: Place): string {
  return `app.use('/service_cookie_transfer', (incoming, outgoing) => {
    const { method, originalUrl: path, rawHeaders } = incoming
    const own = ['X-Widget-Key', 'demo-widget-key', 'X-Continuation-Origin', '${origin}', 'Host', '${service}']
    const left = ['host', 'connection', 'x-widget-key', 'x-continuation-origin']
    const kept = rawHeaders.filter((_, at) => !left.includes(rawHeaders[at - (at % 2)].toLowerCase()))
    const [host, port] = '${service}'.split(':')
    const headers = [...kept, ...own]
    const asked = require('node:http').request({ host, port, method, path, headers, maxHeaderSize: 131072 })
    asked.on('response', (answer) => {
      for (let at = 0; at < answer.rawHeaders.length; at += 2) {
        const [name, value] = answer.rawHeaders.slice(at, at + 2)
        if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) outgoing.appendHeader(name, value)
      }
      outgoing.writeHead(answer.statusCode)
      answer.pipe(outgoing)
    })
    asked.on('error', () => outgoing.destroy())
    incoming.pipe(asked)
  })`
}

/** An app that forwards by itself. */
function toFetch({ service, origin }: Place, redirect: string): string {
  return `app.use('/service_cookie_transfer', async (incoming, outgoing) => {
    const left = ['host', 'connection', 'content-length', 'transfer-encoding', 'x-widget-key', 'x-continuation-origin']
    const kept = Object.entries(incoming.headers).filter(([name]) => !left.includes(name))
    const { method } = incoming
    const body = ['GET', 'HEAD'].includes(method) ? undefined : Readable.toWeb(incoming)
    const headers = [...kept, ['X-Widget-Key', 'demo-widget-key'], ['X-Continuation-Origin', '${origin}']]
    const answer = await fetch('http://${service}' + incoming.originalUrl, { method, headers, body, duplex: 'half', redirect: '${redirect}' })
    for (const [name, value] of answer.headers) outgoing.appendHeader(name, value)
    outgoing.writeHead(answer.status)
    outgoing.end(Buffer.from(await answer.arrayBuffer()))
  })`
}
