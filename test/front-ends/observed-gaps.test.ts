import { createSocket } from 'node:dgram'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import { openForTest } from '../support/open-for-test.ts'
import { askOnce } from '../support/raw-client.ts'
import { answerWith, type RecordedRequest } from '../support/recording-upstream.ts'
import { valuesOf, type WireMessage } from '../support/wire.ts'
import { openTypicalStage, type TypicalChanges } from './support/front-end-stage.ts'
import { freePort, type RealServer, servers, skips } from './support/real-server.ts'
import { AUTHORITY, PREFIX, startTypicalSite } from './support/started-site.ts'
import { SHOP } from './support/typical-site.ts'

/*
 * What stays different from serve where the conformance suite can't see it.
 */

/** What the sentence says, and what is observed. */
type Observation = (server: RealServer) => Promise<{ readonly seen: unknown; readonly said: unknown }>
type Mode = 'route' | 'forward'

/** By a sentence about it. */
const observations: Readonly<Record<string, Readonly<Record<string, Observation>>>> = {
  nginx: {
    'underscores_in_headers on, X_Widget_Key and X_Continuation_Origin are still dropped, but no other':
      async (server) => {
        const names = ['x_widget_key', 'x_continuation_origin', 'x_custom']
        const seen = await seenByService(server, 'forward', {
          lines: names.map((name) => `${name}: 1\r\n`).join(''),
          edit: (text) => text.replace('http {', 'http {\n  underscores_in_headers on;'),
        })
        return { seen: names.map((name) => valuesOf(seen, name)), said: [[], [], ['1']] }
      },
    'X-Forwarded-For is replaced by $remote_addr: behind a load balancer set real_ip_header': addresses(
      ['route', 'forward'],
      (text) =>
        text.replaceAll(
          'server_name',
          'set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For; server_name',
        ),
    ),
    'proxy_set_body of a site replaces the bodies': async (server) => {
      const edit = (text: string) => text.replace('gzip on;', 'gzip on; proxy_set_body of-site;')
      return { seen: (await seenByService(server, 'forward', { edit })).body, said: 'of-site' }
    },
    'auth_basic, deny and limit_req, apply to its points': async (server) => {
      const edit = (text: string) => text.replace('gzip on;', 'gzip on; deny all;')
      return { seen: (await askTypical(server, 'forward', PREFIX, { edit })).status, said: 403 }
    },
    'a GET is sent to the next one; a POST is not': async (server) => ({
      seen: [await askTwoAddresses(server, 'GET'), await askTwoAddresses(server, 'POST')],
      said: [2, 1],
    }),
    'takes a 103 of the service for the response, and passes on all that follows as it is': hinted({
      interim: [[]],
      final: ['"cookies"'],
    }),
  },
  apache: {
    'limits.bodyBytes is not kept': async (server) => ({
      seen: await tryBodies(server, ['length', 'chunked']),
      said: ['arrives', 'arrives'],
    }),
    '/service_cookie_%74ransfer/ reaches the point and, in route mode, /x/../service_cookie_transfer/':
      async (server) => ({
        seen: [
          await arrivesAt(server, 'route', ENCODED_LETTER),
          await arrivesAt(server, 'route', `/x/..${PREFIX}`),
          await arrivesAt(server, 'forward', ENCODED_LETTER),
          await arrivesAt(server, 'forward', `/x/..${PREFIX}`),
        ],
        said: [PREFIX, PREFIX, PREFIX, 403],
      }),
    'In a target that is a whole URL, percent signs are encoded again': async (server) => ({
      seen: [
        await arrivesAt(server, 'route', (origin) => `${origin}${PREFIX}a%2Fb`),
        await arrivesAt(server, 'forward', (origin) => `${origin}${PREFIX}a%2Fb`),
      ],
      said: [`${PREFIX}a%252Fb`, `${PREFIX}a%252Fb`],
    }),
    'X-Forwarded-For is replaced by the client’s address, which mod_remoteip may set': addresses(
      ['route', 'forward'],
      (text) => `LoadModule remoteip_module /usr/lib/apache2/modules/mod_remoteip.so
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 127.0.0.1
${text}`,
    ),
    'ProxyPassReverseCookiePath of a virtual host apply to its points': async (server) => {
      const rules = 'ProxyPassReverseCookiePath / /of-site\nHeader edit Set-Cookie $ ;of-site'
      const { answer } = await askTypical(server, 'forward', PREFIX, {
        script: answerWithLines('Set-Cookie: a=1; Path=/\r\n'),
        edit: (text) => text.replaceAll('SSLEngine On', `SSLEngine On\n${rules}`),
      })
      return { seen: valuesOf(answer, 'set-cookie'), said: ['a=1; Path=/of-site;of-site'] }
    },
    'The site’s access log includes the points’ requests': logged((text) =>
      text.replaceAll('SSLEngine On', 'SSLEngine On\n  CustomLog access.log "%r %{Referer}i"'),
    ),
  },
  caddy: {
    'request_body, encode and templates of a site block apply to its points too, so templates runs what a response contains':
      async (server) => {
        const edit = (directive: string) => (text: string) =>
          text.replaceAll(/\ttls /g, `\t${directive}\n\ttls `)
        // What it makes is as long as itself, for Content-Length stays.
        const template = '{{ printf "%-26s" "ran" }}'.padEnd(1_000)
        const script = answerWith(
          `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${template.length}\r\n\r\n${template}`,
        )
        const ask = (directive: string, lines = '') =>
          askTypical(server, 'route', PREFIX, { edit: edit(directive), script, lines })
        const { answer } = await ask('encode gzip', 'Accept-Encoding: gzip\r\n')
        return {
          seen: [
            (await ask('redir https://elsewhere.example 307')).status,
            valuesOf(answer, 'content-encoding'),
            (await ask('templates')).answer.body.trim(),
          ],
          said: [307, ['gzip'], 'ran'],
        }
      },
    'The site’s logs include the points’ requests, with query, address and Referer': logged((text) =>
      text.replaceAll(/\ttls /g, '\tlog\n\ttls '),
    ),
    'A response without X-Request-Id gets one': async (server) => {
      const ids = async (mode: Mode, lines: string) => {
        const { answer } = await askTypical(server, mode, PREFIX, { script: answerWithLines(lines) })
        return valuesOf(answer, 'x-request-id')
      }
      const modes = ['route', 'forward'] as const
      const made = await Promise.all(modes.map((mode) => ids(mode, '')))
      const kept = await Promise.all(modes.map((mode) => ids(mode, 'X-Request-Id: of-the-service\r\n')))
      return {
        seen: [...made.flat().map((id) => id.length), ...kept.flat()],
        said: [36, 36, 'of-the-service', 'of-the-service'],
      }
    },
    'X-Forwarded-For is replaced by the peer’s address': addresses(['route', 'forward']),
    'In forward mode a path belongs to a point whatever the case of its letters, encoded or not': async (
      server,
    ) => ({
      seen: [
        await arrivesAt(server, 'forward', ENCODED_LETTER),
        await arrivesAt(server, 'forward', '/Service_Cookie_Transfer/'),
      ],
      said: [ENCODED_LETTER, '/Service_Cookie_Transfer/'],
    }),
    'In forward mode 1xx responses are passed on with all their fields': hinted({
      interim: [['"cookies"']],
      final: [],
    }),
  },
  haproxy: {
    'only the certificate authority is verified, not the address': async (server) => {
      const ask = async (serviceHost: string, certificate: string) =>
        (await askTypical(server, 'forward', PREFIX, { serviceHost, certificate })).status
      return {
        seen: [
          await ask('127.0.0.1', 'other-name'),
          await ask('127.0.0.1', 'self-signed'),
          await ask('localhost', 'other-name'),
        ],
        said: [200, 503, 503],
      }
    },
    'to the part of a chunked one that arrives with its head': async (server) => ({
      seen: await tryBodies(server, ['length', 'chunked', 'chunked later']),
      said: [413, 413, 'arrives'],
    }),
    'In route mode X-Forwarded-For is replaced by the peer’s address': addresses(['route']),
    'In forward mode 1xx responses are passed on with all their fields': hinted({
      interim: [['"cookies"']],
      final: [],
    }),
  },
}

describe.each(servers)('$name', (server) => {
  const rows = Object.entries(observations[server.name] ?? {})

  it.skipIf(skips(server)).each(rows)(
    '… %s …',
    async (_part, observe) => {
      const { seen, said } = await observe(server)
      expect(seen).toEqual(said)
    },
    60_000,
  )
})

interface Call extends TypicalChanges {
  readonly lines?: string
}

/** One GET to a point of the typical site. */
async function askTypical(
  server: RealServer,
  mode: Mode,
  target: string | ((origin: string) => string),
  { lines = '', ...changes }: Call = {},
) {
  const stage = await openForTest(openTypicalStage(server, mode, changes))
  const path = typeof target === 'string' ? target : target(new URL(stage.site.url).origin)
  return stage.ask(path, { lines })
}

async function seenByService(server: RealServer, mode: Mode, call: Call): Promise<RecordedRequest> {
  const [seen] = (await askTypical(server, mode, PREFIX, call)).seen
  if (seen === undefined) throw new Error('nothing reached the service')
  return seen
}

/** Where a request arrives at the service, or the status of one that does not. */
async function arrivesAt(
  server: RealServer,
  mode: Mode,
  target: string | ((origin: string) => string),
): Promise<string | number | undefined> {
  const { status, seen } = await askTypical(server, mode, target)
  return seen.length === 0 ? status : seen[0]?.startLine.split(' ')[1]
}

const ENCODED_LETTER = '/service_cookie_%74ransfer/'

function answerWithLines(lines: string) {
  return answerWith(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 2\r\n\r\nok`)
}

/** The Clear-Site-Data that a visitor gets of a service that sends it with a 103, and again with its response. */
function hinted(said: { readonly interim: readonly string[][]; readonly final: string[] }): Observation {
  return async (server) => {
    const line = 'Clear-Site-Data: "cookies"\r\n'
    const script = answerWith(
      `HTTP/1.1 103 Early Hints\r\n${line}\r\nHTTP/1.1 200 OK\r\n${line}Content-Length: 2\r\n\r\nok`,
    )
    const { interim, answer } = await askTypical(server, 'forward', PREFIX, { script })
    const cleared = (message: WireMessage) => valuesOf(message, 'clear-site-data')
    return { seen: { interim: interim.map(cleared), final: cleared(answer) }, said }
  }
}

/** What a peer says about the client is left out, unless the site is configured to trust it. */
function addresses(modes: readonly Mode[], believe?: (text: string) => string): Observation {
  return async (server) => {
    const seen: boolean[] = []
    for (const mode of modes) {
      for (const edit of [(text: string) => text, ...(believe === undefined ? [] : [believe])]) {
        const request = await seenByService(server, mode, { lines: 'X-Forwarded-For: 192.0.2.7\r\n', edit })
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
    const stage = await openForTest(openTypicalStage(server, 'forward', { edit }))
    await stage.ask(`${PREFIX}?${marks[0]}`, { lines: `Referer: https://shop.example/${marks[1]}\r\n` })
    const file = join(stage.server.folder, 'access.log')
    const text = () => stage.server.log() + (existsSync(file) ? readFileSync(file, 'utf8') : '')
    await vi.waitFor(() => expect(text()).toContain(marks[0]), 10_000)
    return { seen: marks.filter((mark) => text().includes(mark)), said: marks }
  }
}

type Framing = 'length' | 'chunked' | 'chunked later'

/** Bodies of five octets where four are allowed. */
async function tryBodies(server: RealServer, framings: readonly Framing[]): Promise<(string | number)[]> {
  const outcomes: (string | number)[] = []
  for (const framing of framings) {
    const stage = await openForTest(openTypicalStage(server, 'forward', { limits: { bodyBytes: 4 } }))
    const head = stage.upstream.saw(0, (octets) => octets.includes('\r\n\r\n'))
    const { status } = await stage.ask(PREFIX, {
      method: 'POST',
      ...(framing === 'length'
        ? { lines: 'Content-Length: 5\r\n', body: 'abcde' }
        : { lines: 'Transfer-Encoding: chunked\r\n', body: '5\r\nabcde\r\n0\r\n\r\n' }),
      ...(framing === 'chunked later' && { after: head }),
    })
    const arrived = stage.upstream.requests.some((request) => request.body === 'abcde')
    outcomes.push(arrived ? 'arrives' : status)
  }
  return outcomes
}

/** A service with two addresses, each of which takes the request and closes the connection; returns how many were asked. */
async function askTwoAddresses(server: RealServer, method: string): Promise<number> {
  const asked = new Set<string>()
  const port = await freePort()
  await Promise.all(
    ['127.0.0.1', '127.0.0.2'].map((address) =>
      listenForTest(
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
  onTestFinished(() => void names.close())
  await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve))
  const { tlsPort } = await openForTest(
    startTypicalSite(server, 'forward', `http://service.localhost:${port}`, {
      nameServers: [`127.0.0.1:${names.address().port}`],
      edit: (text) => text.replace('gzip on;', 'gzip on; proxy_next_upstream error non_idempotent;'),
    }),
  )
  const octets = `${method} ${PREFIX} HTTP/1.1\r\nHost: ${SHOP}:${tlsPort}\r\nContent-Length: 0\r\n\r\n`
  await askOnce(tlsPort, octets, { ca: AUTHORITY, servername: SHOP })
  return asked.size
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
