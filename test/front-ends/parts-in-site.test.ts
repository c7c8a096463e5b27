import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { onlyValue, valuesOf, type WireMessage } from '../support/wire.ts'
import { servers, skips } from './support/real-server.ts'
import { AUTHORITY, PREFIX, type StartedSite, startTypicalSite } from './support/started-site.ts'
import { OTHER, SHOP } from './support/typical-site.ts'

const rows = servers.flatMap((server) =>
  (['route', 'forward'] as const).map((mode) => ({ server, mode, name: server.name })),
)

describe.each(rows)('$name, $mode', ({ server, mode }) => {
  describe.skipIf(skips(server))('a site that includes the parts', () => {
    let upstream: RecordingUpstream
    let site: StartedSite

    beforeAll(async () => {
      upstream = await startUpstream()
      site = await startTypicalSite(server, mode, upstream.origin)
    }, 60_000)
    afterAll(async () => {
      await site?.close()
      await upstream.close()
    })

    it.each([SHOP, OTHER])('tells the service which of its two origins a call is for: %s', async (host) => {
      const before = upstream.requests.length
      expect(statusOf(await ask(site, host, PREFIX))).toBe(200)
      const [seen, ...more] = upstream.requests.slice(before)
      expect(more).toEqual([])
      expect(valuesOf(seen ?? { fields: [] }, 'x-continuation-origin')).toEqual([
        `https://${host}:${site.tlsPort}`,
      ])
      expect(valuesOf(seen ?? { fields: [] }, 'x-forwarded-for').at(0)).toMatch(/^127\.0\.0\.1\b/)
    })

    it.runIf(server.name === 'nginx' || (server.name === 'apache' && mode === 'route'))(
      'adds the last slash, and keeps the query',
      async () => {
        const answer = await ask(site, SHOP, `/shop${PREFIX.slice(0, -1)}?a=%20b`)
        expect([301, 308]).toContain(statusOf(answer))
        expect(new URL(onlyValue(answer.fields, 'location') ?? '', site.url).href).toBe(`${site.url}?a=%20b`)
      },
    )

    it('answers for its own pages as before', async () => {
      const before = upstream.requests.length
      expect((await ask(site, SHOP, '/shop/index')).body).toContain('the basket')
      expect(statusOf(await ask(site, SHOP, '/service_cookie_transferred/'))).toBe(404)
      const client = await openClient(site.plainPort)
      client.write(`GET ${PREFIX} HTTP/1.1\r\nHost: ${SHOP}\r\nConnection: close\r\n\r\n`)
      const answer = await client.response()
      client.close()
      expect([301, 302, 308]).toContain(statusOf(answer))
      expect(onlyValue(answer.fields, 'location')).toMatch(/^https:\/\/localhost/)
      expect(upstream.requests.length).toBe(before)
    })
  })
})

describe.each(servers.filter(({ name }) => name === 'caddy' || name === 'haproxy'))(
  '$name, without the widget key',
  (server) => {
    it.skipIf(skips(server))('answers 503, and forwards nothing', async () => {
      const upstream = await startUpstream()
      const site = await startTypicalSite(server, 'forward', upstream.origin, {})
      expect(statusOf(await ask(site, SHOP, `/shop${PREFIX}`))).toBe(503)
      expect(upstream.requests).toEqual([])
      await site.close()
      await upstream.close()
    })
  },
)

/** The second host has a certificate of its own from the same authority. */
async function ask(site: StartedSite, host: string, path: string): Promise<WireMessage> {
  const client = await openClient(site.tlsPort, { ca: AUTHORITY, servername: host })
  client.write(`GET ${path} HTTP/1.1\r\nHost: ${host}:${site.tlsPort}\r\n\r\n`)
  const answer = await client.response()
  client.close()
  return answer
}
