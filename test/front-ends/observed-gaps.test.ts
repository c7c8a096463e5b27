import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { frontEnds } from '../../src/front-ends/index.ts'
import { openClient } from '../support/raw-client.ts'
import { type RecordedRequest, startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { valuesOf, type WireMessage } from '../support/wire.ts'
import { h2oSite, skipsH2o } from './support/h2o.ts'
import { lighttpd, lighttpdSite, skipsLighttpd } from './support/lighttpd.ts'
import { freePort, type RealServer, servers, skips, startSite } from './support/real-server.ts'
import { judgedFrontEnds } from './support/recipes-page.ts'
import { renderConfig } from './support/rendered.ts'
import { type RoutingServer, startRouted } from './support/routed-front-end.ts'
import { HOST, openRoutedStage, type RoutedStage } from './support/routed-stage.ts'
import { AUTHORITY, PREFIX, type StartedSite, startTypicalSite } from './support/started-site.ts'
import { skipsTrafficServer, toTrafficServerFiles, trafficServerSite } from './support/traffic-server.ts'
import { SHOP } from './support/typical-site.ts'
import { skipsVarnish, varnishSite } from './support/varnishd.ts'

/*
 * What stays different where the conformance suite can't see it: each gap that a front end lists, and the
 * server that does so. Without its row a sentence fails here.
 */

/** What the sentence says, and what is observed. */
type Observation = (server: RealServer) => Promise<{ readonly seen: unknown; readonly said: unknown }>

const observations: readonly (readonly [frontEnd: string, sentence: string, observe: Observation])[] = [
  [
    'nginx',
    'If a site sets underscores_in_headers on, X_Widget_Key and X_Continuation_Origin are still dropped, but no other such field.',
    async (server) => {
      const names = ['x_widget_key', 'x_continuation_origin', 'x_custom']
      const seen = await callSite(server, 'forward', {
        lines: names.map((name) => `${name}: 1\r\n`).join(''),
        edit: (text) => text.replace('http {', 'http {\n  underscores_in_headers on;'),
      })
      return { seen: names.map((name) => valuesOf(seen, name)), said: [[], [], ['1']] }
    },
  ],
  [
    'nginx',
    'The parts send the address that nginx considers the client’s ($remote_addr) and nothing else of X-Forwarded-For: behind a load balancer set real_ip_header.',
    addresses(['route', 'forward'], (text) =>
      text.replaceAll(
        'server_name',
        'set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For; server_name',
      ),
    ),
  ],
  [
    'nginx',
    'proxy_set_body of a site replaces the bodies sent to its points as well: write it into locations of the site.',
    async (server) => {
      const edit = (text: string) => text.replace('gzip on;', 'gzip on; proxy_set_body of-site;')
      return { seen: (await callSite(server, 'forward', { edit })).body, said: 'of-site' }
    },
  ],
  [
    'nginx',
    'Access rules and limits of the site, such as auth_basic, deny and limit_req, apply to its points as well.',
    async (server) => {
      const upstream = await startUpstream()
      const edit = (text: string) => text.replace('gzip on;', 'gzip on; deny all;')
      const site = await startTypicalSite(server, 'forward', upstream.origin, undefined, {}, { edit })
      const client = await openClient(site.tlsPort, { ca: AUTHORITY, servername: SHOP })
      client.write(`GET ${PREFIX} HTTP/1.1\r\nHost: ${SHOP}:${site.tlsPort}\r\n\r\n`)
      const { startLine } = await client.response()
      client.close()
      await site.close()
      await upstream.close()
      return { seen: startLine.split(' ')[1], said: '403' }
    },
  ],
  [
    'nginx',
    'If an address of the service closes the connection in forward mode, a GET is sent to the next one; a POST is not.',
    async (server) => ({
      seen: [await askTwoAddresses(server, 'GET'), await askTwoAddresses(server, 'POST')],
      said: [2, 1],
    }),
  ],
  [
    'apache',
    'limits.bodyBytes is not kept in forward mode.',
    async (server) => ({
      seen: await tryBodies(server, ['length', 'chunked']),
      said: ['arrives', 'arrives'],
    }),
  ],
  [
    'apache',
    'A path belongs to a point if it does once it is decoded and normalised: /service_cookie_%74ransfer/ does and, in route mode, /x/../service_cookie_transfer/.',
    async (server) => ({
      seen: [
        ...(await tryPaths(server, 'route', [ENCODED_LETTER, DETOUR])),
        ...(await tryPaths(server, 'forward', [ENCODED_LETTER, DETOUR])),
      ],
      said: [PREFIX, PREFIX, PREFIX, 403],
    }),
  ],
  [
    'apache',
    'In a target that is a whole URL, percent signs are encoded again.',
    async (server) => ({
      seen: [
        ...(await tryPaths(server, 'route', [(origin) => `${origin}${PREFIX}a%2Fb`])),
        ...(await tryPaths(server, 'forward', [(origin) => `${origin}${PREFIX}a%2Fb`])),
      ],
      said: [`${PREFIX}a%252Fb`, `${PREFIX}a%252Fb`],
    }),
  ],
  [
    'apache',
    'The parts send the address that httpd considers the client’s, including mod_remoteip, and nothing else of X-Forwarded-For.',
    addresses(
      ['route', 'forward'],
      (text) => `LoadModule remoteip_module /usr/lib/apache2/modules/mod_remoteip.so
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 127.0.0.1
${text}`,
    ),
  ],
  [
    'apache',
    'Header, RequestHeader, ProxyPassReverseCookieDomain and ProxyPassReverseCookiePath of a virtual host apply to its points as well: write them into a <Location> of the site.',
    async (server) => {
      const rules = 'ProxyPassReverseCookiePath / /of-site\nHeader edit Set-Cookie $ ;of-site'
      const edit = (text: string) => text.replaceAll('SSLEngine On', `SSLEngine On\n${rules}`)
      const response = await respond(server, 'forward', 'Set-Cookie: a=1; Path=/\r\n', edit)
      return { seen: valuesOf(response, 'set-cookie'), said: ['a=1; Path=/of-site;of-site'] }
    },
  ],
  [
    'apache',
    'The access log of a site includes the requests of the parts, in its LogFormat.',
    logged((text) =>
      text.replaceAll('SSLEngine On', 'SSLEngine On\n  CustomLog access.log "%r %{Referer}i"'),
    ),
  ],
  [
    'caddy',
    'basicauth, forward_auth, redir and request_body of a site block apply to its points as well: put them into a handle block.',
    async (server) => {
      const edit = (text: string) =>
        text.replaceAll(/\ttls /g, '\tredir https://elsewhere.example 307\n\ttls ')
      return { seen: statusOf(await respond(server, 'route', '', edit)), said: 307 }
    },
  ],
  [
    'caddy',
    'The logs of a site include the requests of the parts: query, address and Referer.',
    logged((text) => text.replaceAll(/\ttls /g, '\tlog\n\ttls ')),
  ],
  [
    'caddy',
    'A response without X-Request-Id gets one: only so Caddy logs the id.',
    async (server) => ({
      seen: await Promise.all(
        (['route', 'forward'] as const).flatMap((mode) => [
          idsOfResponse(server, mode, '').then((ids) => ids.map((id) => id.length)),
          idsOfResponse(server, mode, 'X-Request-Id: of-the-service\r\n'),
        ]),
      ),
      said: [[36], ['of-the-service'], [36], ['of-the-service']],
    }),
  ],
  [
    'caddy',
    'The parts send the address of the peer and nothing of X-Forwarded-For.',
    addresses(['route', 'forward']),
  ],
  [
    'caddy',
    'In forward mode a path belongs to a point whatever the case of its letters, encoded or not.',
    async (server) => ({
      seen: await tryPaths(server, 'forward', [ENCODED_LETTER, () => '/Service_Cookie_Transfer/']),
      said: ['/service_cookie_%74ransfer/', '/Service_Cookie_Transfer/'],
    }),
  ],
  [
    'haproxy',
    'If the service has an IP address instead of a name, only its authority is verified, not the address.',
    async (server) => ({
      seen: [
        await askSecure(server, '127.0.0.1', 'other-name'),
        await askSecure(server, '127.0.0.1', 'self-signed'),
        await askSecure(server, 'localhost', 'other-name'),
      ],
      said: [200, 503, 503],
    }),
  ],
  [
    'haproxy',
    'In forward mode limits.bodyBytes applies to bodies with a Content-Length, and to the part of a chunked one that arrives with its head.',
    async (server) => ({
      seen: await tryBodies(server, ['length', 'chunked', 'chunked later']),
      said: [413, 413, 'arrives'],
    }),
  ],
  [
    'haproxy',
    'In route mode the parts send the address of the peer and nothing of X-Forwarded-For.',
    addresses(['route']),
  ],
]

describe.each(servers)('$name', (server) => {
  it('lists no gap that is not shown here', () => {
    const said = frontEnds.find(({ name }) => name === server.name)?.gaps
    expect(observations.filter(([name]) => name === server.name).map(([, sentence]) => sentence)).toEqual(
      said,
    )
  })

  it
    .skipIf(skips(server))
    .each(
      observations
        .filter(([name]) => name === server.name)
        .map(([, sentence, observe]) => ({ sentence, observe })),
    )(
    '$sentence',
    async ({ observe }) => {
      const { seen, said } = await observe(server)
      expect(seen).toEqual(said)
    },
    60_000,
  )
})

describe('varnish', () => {
  const sentence =
    'Sizes of heads and workspaces, and the number of field lines, are parameters of varnishd, not of the VCL.'

  it.skipIf(skipsVarnish)(
    sentence,
    async () => {
      expect([await askVarnish('as rendered'), await askVarnish('default')]).toEqual([200, 'nothing'])
    },
    60_000,
  )

  it('is the only gap that it lists', () => {
    expect(frontEnds.find(({ name }) => name === 'varnish')?.gaps).toEqual([sentence])
  })
})

describe('lighttpd', () => {
  const sentence =
    'url.redirect and url.rewrite of the site see the path as received: it is no longer normalised, for the whole server.'

  it.skipIf(skipsLighttpd)(sentence, async () => {
    const text = renderConfig('lighttpd', 'route', { points: [`http://www.example.com${PREFIX}`] })
    expect([await askRedirect(text), await askRedirect('')]).toEqual([404, 301])
  })

  it('is the only gap that it lists', () => {
    expect(frontEnds.find(({ name }) => name === 'lighttpd')?.gaps).toEqual([sentence])
  })
})

describe('h2o', () => {
  const sentences = [
    'The service gets the address of H2O and not that of the client, since serve can’t tell H2O’s X-Forwarded-For from a client’s.',
    'X-Request-Id of a client reaches the service, since H2O removes no field; serve logs an id of its own.',
    'An encoded letter of a point’s path is read as that letter, where serve sees another path.',
  ]

  it.skipIf(skipsH2o)(
    sentences.join(' '),
    async () => {
      const { startLine, fields } = await askFrom('127.0.0.2', '/service_cookie_%74ransfer/', h2oSite, [])
      expect(startLine).toBe(`GET ${PREFIX} HTTP/1.1`)
      expect(valuesOf({ fields }, 'x-forwarded-for')).toEqual(['127.0.0.1'])
      expect(valuesOf({ fields }, 'x-request-id')).toEqual([VISITOR])
    },
    60_000,
  )

  it('lists no other gap', () => {
    expect(frontEnds.find(({ name }) => name === 'h2o')?.gaps).toEqual(sentences)
  })
})

describe('trafficserver', () => {
  const observed: readonly (readonly [sentence: string, observe: () => Promise<void>])[] = [
    [
      'X-Forwarded-For of a client is replaced by its address, whatever listen.trustedProxies says.',
      async () => {
        const seen = await askFrom('127.0.0.2', PREFIX, trafficServerSite, ['loopback'])
        expect(valuesOf(seen, 'x-forwarded-for')).toEqual(['127.0.0.2, 127.0.0.1'])
      },
    ],
    [
      'Slashes before the first segment of a path are dropped: //service_cookie_transfer/ reaches the point.',
      async () => {
        const seen = await askFrom('127.0.0.1', `//${PREFIX}`, trafficServerSite, ['loopback'])
        expect(seen.startLine).toBe(`GET ${PREFIX} HTTP/1.1`)
      },
    ],
    [
      'Debian’s ip_allow.yaml refuses DELETE from everywhere but loopback: allow it there.',
      async () => {
        const toFiles: RoutingServer['toFiles'] = (text, port) =>
          toTrafficServerFiles(text, port, { ipAllow: 'as Debian has it' })
        const statuses = await askTrafficServer({ ...trafficServerSite, toFiles }, async ({ port }) => [
          await statusFrom('127.0.0.1', port, 'DELETE'),
          await statusFrom('127.0.0.2', port, 'DELETE'),
          await statusFrom('127.0.0.2', port, 'POST'),
        ])
        expect(statuses).toEqual([200, 403, 200])
      },
    ],
    [
      'The access log of the site gets requests that Traffic Server refuses by itself, such as those with Upgrade.',
      async () => {
        const toFiles: RoutingServer['toFiles'] = (text, port) =>
          toTrafficServerFiles(text, port, { records: ['proxy.config.log.max_secs_per_buffer INT 1'] })
        await askTrafficServer({ ...trafficServerSite, toFiles }, async ({ ask, server: { folder } }) => {
          const upgrade = 'Connection: upgrade\r\nUpgrade: websocket\r\n'
          expect((await ask(`${PREFIX}?taken-mark`)).status).toBe(200)
          expect((await ask(`${PREFIX}?refused-mark`, { lines: upgrade })).status).toBe(400)
          expect((await ask('/?site-mark')).status).toBe(404)
          const text = async () => {
            const files = await readdir(join(folder, 'log'))
            const texts = files.map((file) => readFileSync(join(folder, 'log', file), 'latin1'))
            return texts.join('')
          }
          await vi.waitFor(async () => expect(await text()).toContain('site-mark'), 30_000)
          expect(await text()).toContain('refused-mark')
          expect(await text()).not.toContain('taken-mark')
        })
      },
    ],
  ]

  it.skipIf(skipsTrafficServer).each(observed)('%s', (_sentence, observe) => observe(), 60_000)

  it('lists no other gap', () => {
    expect(frontEnds.find(({ name }) => name === 'trafficserver')?.gaps).toEqual(
      observed.map(([sentence]) => sentence),
    )
  })
})

it('every front end that the conformance suite judges is looked at here', () => {
  expect(judgedFrontEnds.toSorted(), 'show its gaps above, and name it here').toEqual(
    [...servers.map(({ name }) => name), 'lighttpd', 'h2o', 'trafficserver', 'varnish'].toSorted(),
  )
})

type Mode = 'route' | 'forward'

interface Call {
  readonly lines?: string
  readonly edit?: (text: string) => string
  readonly path?: string
  readonly during?: (site: StartedSite) => Promise<void>
}

/** One GET to a point of the typical site; returns what the service saw. */
async function callSite(
  server: RealServer,
  mode: Mode,
  { lines = '', edit = (text) => text, path = PREFIX, during = async () => {} }: Call = {},
): Promise<RecordedRequest> {
  const upstream = await startUpstream()
  const site = await startTypicalSite(server, mode, upstream.origin, undefined, undefined, { edit })
  try {
    await askSite(site, `GET ${path} HTTP/1.1`, lines)
    await during(site)
  } finally {
    await site.close()
    await upstream.close()
  }
  const [seen] = upstream.requests
  if (seen === undefined) throw new Error('nothing reached the service')
  return seen
}

async function askSite(site: StartedSite, requestLine: string, lines: string): Promise<number> {
  const client = await openClient(site.tlsPort, { ca: AUTHORITY, servername: SHOP })
  client.write(`${requestLine}\r\nHost: ${SHOP}:${site.tlsPort}\r\n${lines}\r\n`)
  const status = statusOf(await client.response())
  client.close()
  return status
}

async function idsOfResponse(server: RealServer, mode: Mode, lines: string): Promise<readonly string[]> {
  return valuesOf(await respond(server, mode, lines), 'x-request-id')
}

/** The response to a visitor, where the service answers with these field lines. */
async function respond(
  server: RealServer,
  mode: Mode,
  lines: string,
  edit = (text: string) => text,
): Promise<WireMessage> {
  const upstream = await startUpstream((_received, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 2\r\n\r\nok`)
  })
  const site = await startTypicalSite(server, mode, upstream.origin, undefined, undefined, { edit })
  const client = await openClient(site.tlsPort, { ca: AUTHORITY, servername: SHOP })
  client.write(`GET ${PREFIX} HTTP/1.1\r\nHost: ${SHOP}:${site.tlsPort}\r\n\r\n`)
  const response = await client.response()
  client.close()
  await site.close()
  await upstream.close()
  return response
}

/** What a peer says about the client is left out, unless the site is configured to trust it. */
function addresses(modes: readonly Mode[], believe?: (text: string) => string): Observation {
  return async (server) => {
    const seen: boolean[] = []
    for (const mode of modes) {
      for (const edit of [(text: string) => text, ...(believe === undefined ? [] : [believe])]) {
        const request = await callSite(server, mode, { lines: 'X-Forwarded-For: 192.0.2.7\r\n', edit })
        seen.push(valuesOf(request, 'x-forwarded-for').join().includes('192.0.2.7'))
      }
    }
    return { seen, said: modes.flatMap(() => (believe === undefined ? [false] : [false, true])) }
  }
}

/** A site that keeps a log keeps one of the points' calls. */
function logged(edit: (text: string) => string): Observation {
  return async (server) => {
    const marks = ['query-mark', 'referer-mark']
    const seen: string[] = []
    await callSite(server, 'forward', {
      edit,
      path: `${PREFIX}?query-mark`,
      lines: 'Referer: https://shop.example/referer-mark\r\n',
      during: async ({ server: { folder, log } }) => {
        const file = join(folder, 'access.log')
        const text = () => log() + (existsSync(file) ? readFileSync(file, 'utf8') : '')
        await vi.waitFor(() => expect(text()).toContain(marks[0]), 10_000)
        seen.push(...marks.filter((mark) => text().includes(mark)))
      },
    })
    return { seen, said: marks }
  }
}

type Framing = 'length' | 'chunked' | 'chunked later'

/** Bodies of five octets where four are allowed. */
async function tryBodies(server: RealServer, framings: readonly Framing[]): Promise<(string | number)[]> {
  const seen: (string | number)[] = []
  for (const framing of framings) {
    const upstream = await startUpstream()
    const site = await startTypicalSite(server, 'forward', upstream.origin, undefined, undefined, {
      limits: { bodyBytes: 4 },
    })
    const client = await openClient(site.tlsPort, { ca: AUTHORITY, servername: SHOP })
    const [line, body] =
      framing === 'length'
        ? ['Content-Length: 5', 'abcde']
        : ['Transfer-Encoding: chunked', '5\r\nabcde\r\n0\r\n\r\n']
    const head = `POST ${PREFIX} HTTP/1.1\r\nHost: ${SHOP}:${site.tlsPort}\r\n${line}\r\n\r\n`
    if (framing === 'chunked later') {
      client.write(head)
      await upstream.saw(0, (octets) => octets.includes('\r\n\r\n'))
      client.write(body)
    } else client.write(head + body)
    const status = statusOf(await client.response())
    client.close()
    await site.close()
    await upstream.close()
    seen.push(upstream.requests.some((request) => request.body === 'abcde') ? 'arrives' : status)
  }
  return seen
}

const ENCODED_LETTER = () => '/service_cookie_%74ransfer/'
const DETOUR = () => `/x/..${PREFIX}`

/** Where each request arrives at the service, or the status of one that does not. */
async function tryPaths(
  server: RealServer,
  mode: Mode,
  targets: readonly ((origin: string) => string)[],
): Promise<(string | number)[]> {
  const upstream = await startUpstream()
  const site = await startTypicalSite(server, mode, upstream.origin)
  const seen: (string | number)[] = []
  for (const toTarget of targets) {
    const before = upstream.requests.length
    const target = toTarget(new URL(site.url).origin)
    const status = await askSite(site, `GET ${target} HTTP/1.1`, '')
    seen.push(upstream.requests[before]?.startLine.split(' ')[1] ?? status)
  }
  await site.close()
  await upstream.close()
  return seen
}

/** A call to a service on https that shows this certificate. */
async function askSecure(server: RealServer, host: string, certificate: string): Promise<number> {
  const pem = (name: string) => fileURLToPath(new URL(`../support/certificates/${name}.pem`, import.meta.url))
  const upstream = await startUpstream(undefined, {
    tls: {
      key: readFileSync(pem(`${certificate}.key`), 'utf8'),
      cert: readFileSync(pem(`${certificate}.cert`), 'utf8'),
    },
  })
  const site = await startTypicalSite(server, 'forward', `https://${host}:${upstream.port}`, undefined, {
    ca: `file:${pem('authority.cert')}`,
  })
  const status = await askSite(site, `GET ${PREFIX} HTTP/1.1`, '')
  await site.close()
  await upstream.close()
  return status
}

/** A service with two addresses, each of which takes the request and closes the connection; returns how many were asked. */
async function askTwoAddresses(server: RealServer, method: string): Promise<number> {
  const asked = new Set<string>()
  const port = await freePort()
  const services = await Promise.all(
    ['127.0.0.1', '127.0.0.2'].map((address) =>
      listening(
        createServer((socket) => {
          socket.on('error', () => {})
          socket.once('data', () => {
            asked.add(address)
            socket.resetAndDestroy()
          })
        }),
        port,
        address,
      ),
    ),
  )
  const names = createSocket('udp4').on('message', (query, { port: to, address }) => {
    names.send(toAddressAnswer(query), to, address)
  })
  await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve))
  const site = await startTypicalSite(
    server,
    'forward',
    `http://service.localhost:${port}`,
    undefined,
    undefined,
    {
      nameServers: [`127.0.0.1:${names.address().port}`],
      edit: (text) => text.replace('gzip on;', 'gzip on; proxy_next_upstream error non_idempotent;'),
    },
  )
  await askSite(site, `${method} ${PREFIX} HTTP/1.1`, 'Content-Length: 0\r\n')
  await site.close()
  names.close()
  for (const service of services) service.close()
  return asked.size
}

function listening(server: Server, port: number, address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, address, () => resolve(server))
  })
}

/** RFC 1035 section 4.1: the question, and for one of type A both addresses. */
function toAddressAnswer(query: Buffer): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const isAddress = question.readUInt16BE(question.length - 4) === 1
  const records = isAddress
    ? [1, 2].map((last) => [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, last])
    : []
  const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
  query.copy(head, 0, 0, 2)
  return Buffer.concat([head, question, Buffer.from(records.flat())])
}

/** A cookie of 60 KiB through Varnish, started as the text says or with its defaults. */
async function askVarnish(parameters: 'as rendered' | 'default'): Promise<number | 'nothing'> {
  const stage = await openRoutedStage(
    {
      ...varnishSite,
      toServer: (text, port) => varnishSite.toServer(parameters === 'default' ? '' : text, port),
    },
    { toPoints: () => [`http://${HOST}${PREFIX}`] },
  )
  const cookie = `Cookie: a=${'x'.repeat(60 * 1024)}\r\n`
  const status = await stage.ask(PREFIX, { host: HOST, lines: cookie }).then(
    (asked) => asked.status,
    () => 'nothing' as const,
  )
  await stage.close()
  return status
}

/** A path that is redirected once it is normalised, at a site of lighttpd that includes this text. */
async function askRedirect(included: string): Promise<number> {
  const port = await freePort()
  const running = await startSite(lighttpd, lighttpdSite.toFiles(included, port), port)
  const client = await openClient(port)
  client.write('GET /%6fld HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
  const status = statusOf(await client.response())
  client.close()
  await running.close()
  return status
}

/** What the service sees of a request from this address, through a front end and serve. */
async function askFrom(
  localAddress: string,
  path: string,
  site: RoutingServer,
  trustedProxies: readonly string[],
): Promise<RecordedRequest> {
  const upstream = await startUpstream()
  const { port, close } = await startRouted(site, upstream.origin, {
    toPoints: (at) => [`http://${HOST}:${at}${PREFIX}`],
    trustedProxies,
  })
  const client = connect({ port, host: '127.0.0.1', localAddress })
  client.write(
    `GET ${path} HTTP/1.1\r\nHost: ${HOST}:${port}\r\nX-Forwarded-For: 192.0.2.1\r\nX-Request-Id: ${VISITOR}\r\n\r\n`,
  )
  await upstream.arrived(1)
  client.destroy()
  await close()
  await upstream.close()
  const [seen] = upstream.requests
  if (seen === undefined) throw new Error('nothing reached the service')
  return seen
}

const VISITOR = 'an-id-of-the-visitor'

/** What Traffic Server does in front of its own serve. */
async function askTrafficServer<Seen>(
  site: RoutingServer,
  see: (stage: RoutedStage) => Promise<Seen>,
): Promise<Seen> {
  const stage = await openRoutedStage(site, { toPoints: (port) => [`http://${HOST}:${port}${PREFIX}`] })
  try {
    return await see(stage)
  } finally {
    await stage.close()
  }
}

async function statusFrom(localAddress: string, port: number, method: string): Promise<number> {
  const client = connect({ port, host: '127.0.0.1', localAddress })
  client.write(`${method} ${PREFIX} HTTP/1.1\r\nHost: ${HOST}:${port}\r\nContent-Length: 0\r\n\r\n`)
  const [head] = await once(client, 'data')
  client.destroy()
  return Number(String(head).split(' ')[1])
}
