import { connect } from 'node:http2'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { askOnce, openClient } from '../support/raw-client.ts'
import { answerOk, type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { freePort, type RunningServer, servers, skips } from './support/real-server.ts'
import { renderParts } from './support/rendered.ts'
import { startSmallestSite } from './support/smallest-site.ts'
import { AUTHORITY, PREFIX } from './support/started-site.ts'
import { SHOP } from './support/typical-site.ts'

/*
 * If the upstream closes a reused connection without a response, HAProxy lets the client send the request again: over
 * HTTP/2 it resets the stream as refused, over HTTP/1.1 it closes the connection. Browsers do send it again, even a POST.
 * So HAProxy has to answer, in route mode as well: `serve` may be killed.
 */
describe.each(servers.filter(({ name }) => name === 'haproxy'))('$name', (server) => {
  describe.skipIf(skips(server)).each(['route', 'forward'] as const)('in the mode %s', (mode) => {
    let upstream: RecordingUpstream
    let haproxy: RunningServer
    let port = 0

    beforeEach(async () => {
      upstream = await startUpstream((request, socket) => {
        if (request.startLine.startsWith('GET')) answerOk(request, socket)
        else socket.end()
      })
      port = await freePort()
      const points = [`https://${SHOP}:${port}${PREFIX}`]
      const config = { service: { url: upstream.origin }, widgetKey: 'env:WIDGET_KEY', points }
      const parts = renderParts('haproxy', mode, config, upstream.authority)
      haproxy = await startSmallestSite(server, parts, points, { edit: withOneThreadAndLog })
    })
    afterEach(async () => {
      await haproxy.close()
      await upstream.close()
    })

    it.each([
      ['HTTP/2', askOverHttp2],
      ['HTTP/1.1', askOverHttp1],
    ])('answers 502 to a POST on a connection of %s that had a request before', async (_protocol, ask) => {
      expect(await ask(port, ['GET', 'POST', 'GET', 'POST'])).toEqual([200, 502, 200, 502])
      expect(upstream.requests.map(({ startLine, turn }) => [startLine.split(' ')[0], turn])).toEqual([
        ['GET', 0],
        // Also where the connection to the service was used before, by which newer versions decide.
        ['POST', 1],
        ['GET', 0],
        ['POST', 1],
      ])
    })

    it('writes one line for each request, at its end', async () => {
      const lines = () => haproxy.log().match(/^.* (?:200|502) (?:GET|POST)$/gm) ?? []
      for (const [at, method] of ['GET', 'POST', 'GET', 'POST'].entries()) {
        await askOverHttp2(port, [method])
        while (lines().length <= at) await new Promise((resolve) => setTimeout(resolve, 5))
      }
      expect(lines().map((line) => line.split(' ').slice(2, 4).join(' '))).toEqual([
        '200 GET',
        '502 POST',
        '200 GET',
        '502 POST',
      ])
    })
  })
})

describe.each(servers.filter(({ name }) => name === 'haproxy'))('two of $name on a machine', (server) => {
  it.skipIf(skips(server)).each(['route', 'forward'] as const)(
    'with one public port on two addresses: each keeps its requests, mode %s',
    async (mode) => {
      const port = await freePort()
      const sites = await Promise.all(
        [
          { host: 'a.example', address: '127.0.0.1' },
          { host: 'b.example', address: '127.0.0.2' },
        ].map(async ({ host, address }) => {
          const upstream = await openForTest(startUpstream())
          const config = {
            service: { url: upstream.origin },
            widgetKey: 'env:WIDGET_KEY',
            points: [`https://${host}:${port}${PREFIX}`],
          }
          const parts = renderParts('haproxy', mode, config, upstream.authority)
          await openForTest(startSmallestSite(server, parts, config.points, { address }))
          return { host, address, upstream }
        }),
      )
      for (const { host, address, upstream } of sites) {
        for (let i = 1; i <= 8; i++) {
          const octets = `GET ${PREFIX}${i} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`
          const tls = { ca: AUTHORITY, servername: SHOP, host: address }
          expect(statusOf(await askOnce(port, octets, tls))).toBe(200)
        }
        expect(upstream.requests).toHaveLength(8)
      }
    },
  )
})

/** Each thread keeps connections of its own. */
function withOneThreadAndLog(text: string): string {
  const log = "log stdout format raw local0\n    log-format '%T %ST %HM'"
  return `global\n    nbthread 1\n${text.replace('mode http\n', `mode http\n    ${log}\n`)}`
}

async function askOverHttp2(port: number, methods: readonly string[]): Promise<(number | undefined)[]> {
  const session = connect(`https://${SHOP}:${port}`, { ca: AUTHORITY })
  const statuses: (number | undefined)[] = []
  for (const method of methods) {
    statuses.push(
      await new Promise((resolve) => {
        const stream = session.request({ ':method': method, ':path': `${PREFIX}a` })
        stream
          .once('response', (fields) => resolve(fields[':status']))
          .once('error', () => resolve(undefined))
          .resume()
        if (method === 'POST') stream.end('a=1')
      }),
    )
  }
  session.close()
  return statuses
}

async function askOverHttp1(port: number, methods: readonly string[]): Promise<(number | undefined)[]> {
  const statuses: (number | undefined)[] = []
  let client = await openClient(port, { ca: AUTHORITY, servername: SHOP })
  for (const method of methods) {
    const body = method === 'POST' ? 'Content-Length: 3\r\n\r\na=1' : '\r\n'
    client.write(`${method} ${PREFIX}a HTTP/1.1\r\nHost: ${SHOP}:${port}\r\n${body}`)
    const answer = await client.response().catch(() => undefined)
    statuses.push(answer === undefined ? undefined : statusOf(answer))
    if (method !== 'POST') continue
    client.close()
    client = await openClient(port, { ca: AUTHORITY, servername: SHOP })
  }
  client.close()
  return statuses
}
