import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { valuesOf } from '../support/wire.ts'
import { type FrontEndStage, openRoutedStage } from './support/front-end-stage.ts'
import { legalConfigs } from './support/legal-configs.ts'
import { checkSite, servers } from './support/real-server.ts'
import { judgedFrontEnds } from './support/recipes-page.ts'
import { renderConfig } from './support/rendered.ts'
import { HOST, type RoutingServer } from './support/routed-front-end.ts'
import { h2oSite, lighttpdSite } from './support/routing-servers.ts'
import { PREFIX } from './support/started-site.ts'
import { trafficServerSite } from './support/traffic-server.ts'

const ODD_PATH = "/caf%C3%A9%C3%A0%20%5B$x'(1)%7B;/service_cookie_transfer/"

/** A server that only routes, and what differs from the others. */
interface Routing {
  readonly site: RoutingServer
  /** Of a point, with what patterns and configs use for themselves. */
  readonly oddPath: string
  /** Legal configs that are not rendered for it. */
  readonly cannot?: readonly string[]
  readonly serves: readonly string[]
  readonly addresses: string
  /** Paths that belong to no point, with the status that the site has for them. */
  readonly elsewhere: readonly (readonly [what: string, path: string, status: number])[]
}

const routing: readonly Routing[] = [
  {
    site: lighttpdSite,
    oddPath: ODD_PATH,
    // It says the scheme, so serve may have a point on https too, which a client of http must not reach.
    serves: ['http', 'https'],
    addresses: '127.0.0.1, 127.0.0.1',
    elsewhere: [
      ['an encoded letter of the prefix', '/service_cookie_%74ransfer/', 404],
      ['a way out of the point', `${PREFIX}..%2fmissing`, 404],
      ['a way out of the point to what the site denies', `${PREFIX}..%2fadmin`, 403],
      ['what the site denies', '/admin', 403],
      ['what the site denies, encoded', '/%61dmin', 403],
      ['what the site denies, on a detour', '/x/../admin', 403],
    ],
  },
  {
    site: h2oSite,
    oddPath: ODD_PATH,
    serves: ['http'],
    addresses: '127.0.0.1',
    elsewhere: [['a way out of the point', `${PREFIX}..%2fmissing`, 404]],
  },
  {
    site: trafficServerSite,
    oddPath: ODD_PATH.replace(/[';]/g, ''),
    cannot: ['cookie paths that hold what configs use for themselves', 'another prefix'],
    serves: ['http', 'https'],
    addresses: '127.0.0.1, 127.0.0.1',
    elsewhere: [
      ['an encoded letter of the prefix', '/service_cookie_%74ransfer/', 404],
      // serve refuses it.
      ['a way out of the point', `${PREFIX}..%2fmissing`, 400],
      ['the point without its last slash', '/service_cookie_transfer', 404],
    ],
  },
]

it('every server that only routes has a row', () => {
  // Varnish has a test of its own, varnish.test.ts.
  const others = ['varnish', ...servers.map(({ name }) => name)]
  expect(routing.map(({ site }) => site.name).toSorted(), 'routing has a row of each').toEqual(
    judgedFrontEnds.filter((name) => !others.includes(name)).toSorted(),
  )
})

describe.each(routing)('$site.name', ({ site, cannot = [] }) => {
  it.skipIf(site.isMissing).each(legalConfigs.filter(([what]) => !cannot.includes(what)))(
    'accepts what is rendered: %s',
    async (_what, config) => {
      const text = renderConfig(site.name, 'route', config)
      const { code, output } = await checkSite(site.toServer(text, 8000), site.toFiles(text, 8000))
      expect(code, output).toBe(0)
      expect(output).not.toMatch(/warn|error|unknown/i)
    },
  )
})

for (const { site, oddPath, serves, addresses, elsewhere } of routing) {
  describe.skipIf(site.isMissing)(`${site.name}, in front of serve`, () => {
    let stage: FrontEndStage

    beforeAll(async () => {
      const toPoints = (port: number) => [
        `http://${HOST}:${port}${PREFIX}`,
        `http://other.example:${port}${PREFIX}`,
        `http://${HOST}:${port}${oddPath}`,
      ]
      stage = await openRoutedStage(site, {
        toPoints,
        toServedPoints: (port) => [
          ...toPoints(port),
          ...serves.slice(1).map((scheme) => `${scheme}://${HOST}:${port}${PREFIX}`),
        ],
      })
    }, 60_000)
    afterAll(() => stage?.close())

    it.each([
      ['X-Forwarded-Host', 'other.example:9'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Port', '1'],
      ['Forwarded', 'host=other.example;proto=https'],
      ['X-Host', 'other.example'],
    ])('a client can’t choose another point with %s: %s', async (name, value) => {
      const lines = `${name}: ${value.replace(':9', `:${stage.port}`)}\r\n`
      const { status, seen } = await stage.ask(PREFIX, { lines })
      expect(status).toBe(200)
      expect(seen.map((request) => valuesOf(request, 'x-continuation-origin'))).toEqual([
        [`http://${HOST}:${stage.port}`],
      ])
    })

    it('an absolute target does not get to the point that Host names, by the rules of its own host', async () => {
      const target = `http://${HOST}:${stage.port}${PREFIX}`
      const { seen } = await stage.ask(target, { host: `other.example:${stage.port}` })
      const origins = seen.flatMap((request) => valuesOf(request, 'x-continuation-origin'))
      expect([[], [`http://${HOST}:${stage.port}`]]).toContainEqual(origins)
    })

    it(`sends ${addresses} of the client, and nothing that the client sent about it`, async () => {
      const { seen } = await stage.ask(PREFIX, { lines: 'X-Forwarded-For: 192.0.2.1\r\n' })
      expect(seen.map((request) => valuesOf(request, 'x-forwarded-for'))).toEqual([[addresses]])
    })

    it.each([
      ['another slash after the point', `${PREFIX}/a;b?c`],
      ['the raw query', `${PREFIX}?|^\`{}"`],
      ['a point with characters that have a meaning in patterns', `${oddPath}x`],
    ])('keeps %s', async (_what, path) => {
      const { seen } = await stage.ask(path)
      expect(seen.map(({ startLine }) => startLine)).toEqual([
        `GET ${path.slice(path.indexOf(PREFIX))} HTTP/1.1`,
      ])
    })

    it.each<Routing['elsewhere'][number]>([
      ['a page of the site that is not there', '/missing', 404],
      ['a path that only begins alike', '/service_cookie_transferred/', 404],
      ['another case', '/Service_Cookie_Transfer/', 404],
      ...elsewhere,
    ])('does not forward %s', async (_what, path, status) => {
      expect(await stage.ask(path)).toMatchObject({ status, seen: [] })
    })

    it('takes a cookie of 60 KiB', async () => {
      const cookie = `a=${'x'.repeat(60 * 1024)}`
      const { seen } = await stage.ask(PREFIX, { lines: `Cookie: ${cookie}\r\n` })
      expect(seen.map((request) => valuesOf(request, 'cookie'))).toEqual([[cookie]])
    })
  })
}
