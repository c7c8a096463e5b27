import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askOnce } from '../support/raw-client.ts'
import type { RecordedRequest } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { valuesOf } from '../support/wire.ts'
import { type FrontEndStage, HOST, openPartsStage } from './support/front-end-stage.ts'
import { freePort, serversInEachMode, skips } from './support/real-server.ts'
import { AUTHORITY, PREFIX } from './support/started-site.ts'

/* What the conformance suite does not ask: several points and keys, odd paths and hosts, and what is no point's. */

const ODD_PATH = `/caf%C3%A9%C3%A0%20%5B$x'(1)%7B;${PREFIX}`
const KEYS = { WIDGET_KEY: 'the-key', SHOP_KEY: 'the-shop-key' }

/** Gaps that deploy/recipes/README.md names. */
const takenForPoint: Readonly<Record<string, readonly string[]>> = {
  'apache, route': ['a dot segment into a point', 'an encoded letter of the prefix'],
  'apache, forward': ['an encoded letter of the prefix'],
  'caddy, forward': ['another case', 'an encoded letter of the prefix'],
}

describe.each(serversInEachMode)('$name, $mode', ({ server, mode }) => {
  describe.skipIf(skips(server))('on the wire', () => {
    let stage: FrontEndStage
    let securePort = 0

    beforeAll(async () => {
      securePort = await freePort()
      stage = await openPartsStage(server, mode, {
        keys: KEYS,
        toPoints: (port) => [
          `http://${HOST}:${port}${PREFIX}`,
          { url: `http://${HOST}:${port}/shop${PREFIX}`, widgetKey: 'SHOP_KEY' },
          `http://${HOST}:${port}${ODD_PATH}`,
          `http://[2001:db8::1]:${port}${PREFIX}`,
          `https://localhost:${securePort}${PREFIX}`,
        ],
        script: (_request, socket) => {
          socket.write('HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok')
        },
      })
    }, 60_000)
    afterAll(() => stage?.close())

    it.each([
      [PREFIX, PREFIX, KEYS.WIDGET_KEY],
      [`/shop${PREFIX}`, PREFIX, KEYS.SHOP_KEY],
      [`${ODD_PATH}deep`, `${PREFIX}deep`, KEYS.WIDGET_KEY],
    ])('%s arrives with our fields and without the cookie path', async (target, path, key) => {
      const { status, answer, seen } = await stage.ask(target)
      expect([status, valuesOf(answer, 'cache-control')]).toEqual([200, ['max-age=60']])
      expect(seen.map(({ startLine }) => startLine)).toEqual([`GET ${path} HTTP/1.1`])
      expect(ownFields(seen[0])).toEqual({
        host: [stage.upstream.authority],
        'x-widget-key': [key],
        'x-continuation-origin': [`http://${HOST}:${stage.port}`],
        'x-forwarded-for': ['127.0.0.1'],
      })
    })

    it('recognises an origin by its Host', async () => {
      const { seen } = await stage.ask(PREFIX, { host: `[2001:DB8::1]:${stage.port}` })
      expect(ownFields(seen[0])['x-continuation-origin']).toEqual([`http://[2001:db8::1]:${stage.port}`])
    })

    it('recognises an origin on https', async () => {
      const octets = `GET ${PREFIX} HTTP/1.1\r\nHost: LOCALHOST:${securePort}\r\n\r\n`
      const answer = await askOnce(securePort, octets, { ca: AUTHORITY, servername: 'localhost' })
      expect(statusOf(answer)).toBe(200)
      expect(ownFields(stage.upstream.requests.at(-1))['x-continuation-origin']).toEqual([
        `https://localhost:${securePort}`,
      ])
    })

    it.skipIf(server.name === 'apache')('reads the path of an absolute target', async () => {
      const { seen } = await stage.ask(`http://${HOST}:${stage.port}/shop${PREFIX}a%2Fb?c`)
      expect(seen[0]?.startLine).toBe(`GET ${PREFIX}a%2Fb?c HTTP/1.1`)
    })

    it('judges an absolute target by its own host, or refuses it, whatever Host says', async () => {
      const target = `http://${HOST}:${stage.port}${PREFIX}`
      const { status, seen } = await stage.ask(target, { host: `[2001:db8::1]:${stage.port}` })
      const origins = seen.flatMap((request) => ownFields(request)['x-continuation-origin'])
      const own = `http://${HOST}:${stage.port}`
      // A gap: serve gets the path alone, and Host.
      const isGap = server.name === 'nginx' && mode === 'route'
      expect(isGap ? [[`http://[2001:db8::1]:${stage.port}`]] : [[], [own]], `${status}`).toContainEqual(
        origins,
      )
    })

    it('replaces the list of a peer whose fields name the owned ones in Connection', async () => {
      const lines = 'Cookie: a=1\r\nConnection: Cookie, X-Forwarded-For, X-Forwarded-Proto\r\n'
      const { seen } = await stage.ask(PREFIX, { lines })
      expect(ownFields(seen[0])['x-forwarded-for']).toEqual(['127.0.0.1'])
    })

    it('sends the address of the peer, and not what it says about the client', async () => {
      const { seen } = await stage.ask(PREFIX, { lines: 'X-Forwarded-For: 192.0.2.7\r\n' })
      const listed = valuesOf(seen[0] ?? { fields: [] }, 'x-forwarded-for').join(', ')
      // In front of serve the front end is a hop of its own, and loopback too.
      expect(listed).toBe(mode === 'route' ? '127.0.0.1, 127.0.0.1' : '127.0.0.1')
    })

    it.each([
      ['another path', '/'],
      ['a path that only begins alike', '/service_cookie_transferred/'],
      ['another case', '/Service_Cookie_Transfer/'],
      ['a dot segment', `${PREFIX}../admin`],
      ['an encoded dot segment', `${PREFIX}%2e%2e/admin`],
      ['a dot segment into a point', `/x/..${PREFIX}`],
      ['an encoded slash after dots', `${PREFIX}..%2fadmin`],
      ['an encoded letter of the prefix', '/service_cookie_%74ransfer/'],
    ])('does not forward %s', async (what, target) => {
      const { status, seen } = await stage.ask(target)
      const isGap = takenForPoint[`${server.name}, ${mode}`]?.includes(what) ?? false
      expect([status, seen.length]).toEqual(isGap ? [200, 1] : [expect.toBeOneOf([400, 403, 404]), 0])
    })

    it('gives each request an id of its own, whatever the visitor sends', async () => {
      const ids: string[] = []
      for (const connection of ['', 'Connection: keep-alive, X-Request-Id\r\n']) {
        const { seen } = await stage.ask(PREFIX, { lines: `${connection}X-Request-Id: of-the-visitor\r\n` })
        ids.push(...seen.flatMap((request) => valuesOf(request, 'x-request-id')))
      }
      expect(new Set([...ids, 'of-the-visitor']).size).toBe(ids.length + 1)
      // HAProxy passes Connection on to serve: then serve makes an id, for its log.
      const isLost = mode === 'route' && server.name === 'haproxy'
      expect(ids).toHaveLength(isLost ? 1 : 2)
    })

    it('does not forward another host', async () => {
      expect((await stage.ask(PREFIX, { host: 'evil.example' })).seen).toEqual([])
    })
  })
})

function ownFields(request: RecordedRequest | undefined) {
  const message = request ?? { fields: [] }
  return {
    host: valuesOf(message, 'host'),
    'x-widget-key': valuesOf(message, 'x-widget-key'),
    'x-continuation-origin': valuesOf(message, 'x-continuation-origin'),
    // In front of serve the front end is a trusted hop, and both are loopback.
    'x-forwarded-for': [...new Set(valuesOf(message, 'x-forwarded-for').join(', ').split(', '))],
  }
}
