import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startNodePoint, startWorkerPoint } from '../edge/support/edge-points.ts'
import { skipsWorkerd } from '../edge/support/workerd.ts'
import { servers, skips } from '../front-ends/support/real-server.ts'
import type { RoutingServer } from '../front-ends/support/routed-front-end.ts'
import {
  h2oSite,
  h2oTlsSite,
  lighttpdSite,
  lighttpdTlsSite,
  varnishSite,
} from '../front-ends/support/routing-servers.ts'
import { AUTHORITY, startTypicalSite } from '../front-ends/support/started-site.ts'
import { trafficServerSite } from '../front-ends/support/traffic-server.ts'
import type { Outcome, SuiteResult, SuiteSettings } from './suite/suite.ts'
import { startCloudflareWorker } from './support/cloudflare-worker.ts'
import { curlOverHttp2, skipsCurl } from './support/curl-client.ts'
import { toMatrixPage, toTitle } from './support/matrix-page.ts'
import { startRoutedPoint } from './support/routed-point.ts'
import { judgePoint, outcomesOf, startOwnProxy } from './support/started-point.ts'

const page = fileURLToPath(new URL('../../deploy/recipes/conformance.md', import.meta.url))
const trust = { kind: 'only', certificates: [AUTHORITY] } as const
const overHttp2: Partial<SuiteSettings> = { trust, client: curlOverHttp2 }
/** Later versions encode more characters of a URL, which changes what the edge does in Node. */
const otherNode = process.versions.node.startsWith('20.')
  ? ''
  : ' (only on Node 20, with which it was written)'

/** A row of the page. */
interface FrontEnd {
  readonly frontEnd: string
  readonly setUp?: string
  readonly isMissing?: boolean
  judge(): Promise<SuiteResult>
}

const frontEnds: readonly FrontEnd[] = [
  { frontEnd: 'serve', judge: () => judgePoint((serviceUrl) => startOwnProxy(serviceUrl)) },
  { frontEnd: 'edge', setUp: 'in Node', judge: () => judgePoint((serviceUrl) => startNodePoint(serviceUrl)) },
  {
    frontEnd: 'edge',
    setUp: 'in workerd',
    isMissing: skipsWorkerd,
    judge: () => judgePoint(startWorkerPoint),
  },
  ...ofTypicalSites('', {}),
  ...ofTypicalSites(', HTTP/2', { client: curlOverHttp2 }, skipsCurl),
  {
    frontEnd: 'cloudflare-worker',
    setUp: 'in workerd',
    isMissing: skipsWorkerd,
    judge: () => judgePoint(startCloudflareWorker),
  },
  ofRoute(lighttpdSite, { cookiePath: '/shop' }),
  ofRoute(lighttpdTlsSite, { scheme: 'https', cookiePath: '/shop' }, overHttp2),
  ofRoute(h2oSite, {}),
  ofRoute(h2oTlsSite, { scheme: 'https' }, overHttp2),
  ofRoute(trafficServerSite, { scheme: 'https', cookiePath: '/shop' }, { trust }),
  ofRoute(trafficServerSite, { scheme: 'https', cookiePath: '/shop' }, overHttp2),
  ofRoute(varnishSite, {}),
]

function ofRoute(
  site: RoutingServer,
  place: Parameters<typeof startRoutedPoint>[2],
  settings: Partial<SuiteSettings> = {},
): FrontEnd {
  const isHttp2 = settings === overHttp2
  return {
    frontEnd: site.name,
    setUp: isHttp2 ? 'route, HTTP/2' : 'route',
    isMissing: site.isMissing || (isHttp2 && skipsCurl),
    judge: () => judgePoint((serviceUrl) => startRoutedPoint(site, serviceUrl, place), settings),
  }
}

function ofTypicalSites(
  suffix: string,
  settings: Partial<SuiteSettings>,
  isClientMissing = false,
): readonly FrontEnd[] {
  return servers.flatMap((server) =>
    (['route', 'forward'] as const).map((mode) => ({
      frontEnd: server.name,
      setUp: `${mode}${suffix}`,
      isMissing: isClientMissing || skips(server),
      judge: () =>
        judgePoint((serviceUrl) => startTypicalSite(server, mode, serviceUrl), { trust, ...settings }),
    })),
  )
}

describe('rendered front ends', () => {
  const outcomesByTitle = new Map<string, readonly Outcome[]>()

  // Their cases wait for time limits more than they compute.
  describe.concurrent('side by side', () => {
    for (const { frontEnd, setUp, isMissing = false, judge } of frontEnds) {
      const title = toTitle({ frontEnd, setUp })
      it.skipIf(isMissing)(
        `${title} passes every ${frontEnd === 'serve' ? 'case' : 'must'}`,
        async () => {
          const outcomes = outcomesOf(await judge())
          outcomesByTitle.set(title, title === 'lighttpd, route, HTTP/2' ? outcomes.map(asReset) : outcomes)
          const failed = outcomes.filter(
            ({ level, outcome }) => outcome === 'fail' && (level === 'must' || frontEnd === 'serve'),
          )
          const seen = failed.map(
            ({ id, faults }) => `${id}: ${faults.map((fault) => fault.seen).join('; ')}`,
          )
          expect(
            failed.map(({ id }) => id),
            `what no config can change needs its reason in KNOWN: ${seen.join('\n')}`,
          ).toEqual((KNOWN[title] ?? KNOWN[title.replace(', HTTP/2', '')])?.ids ?? [])
        },
        120_000,
      )
    }
  })

  const missing = frontEnds.filter(({ isMissing = false }) => isMissing).map(toTitle)
  const without = missing.length === 0 ? '' : ` (not without ${missing.join('; ')})`
  it.skipIf(otherNode !== '' || missing.length > 0)(
    `the conformance page says what was found${otherNode}${without}`,
    async () => {
      const unknown = frontEnds.map(toTitle).filter((title) => !outcomesByTitle.has(title))
      expect(unknown, 'no page is written without the outcomes of these').toEqual([])
      const rows = frontEnds.map(({ frontEnd, setUp }) => ({
        frontEnd,
        ...(setUp === undefined ? {} : { setUp }),
        outcomes: outcomesByTitle.get(toTitle({ frontEnd, setUp })) ?? [],
      }))
      await expect(toMatrixPage(rows, reasons), 'npm run matrix writes it').toMatchFileSnapshot(page)
    },
  )
})

/** What no configuration of a front end can keep. */
const KNOWN: Readonly<Record<string, { readonly ids: readonly string[]; readonly why: string }>> = {
  'caddy, forward': {
    ids: ['target/sub-delims'],
    why: 'When Caddy strips a prefix, Go re-encodes the rest of the path, unless it contains a percent-encoded byte.',
  },
  'nginx, forward': {
    ids: ['answer/after-hints'],
    why: 'Before 1.29, nginx takes a 103 for the response.',
  },
  'lighttpd, route, HTTP/2': {
    ids: ['body/chunked', 'body/mebibyte-chunked'],
    why: 'lighttpd 1.4.69 refuses a POST over HTTP/2 without Content-Length.',
  },
  'varnish, route': {
    ids: ['fields/forged-connection-lists-host'],
    why: 'Varnish refuses a request that names Host in Connection.',
  },
}

/** lighttpd answers with 411 and resets the stream at once: whether curl shows the status is a race, so the page never does. */
function asReset(outcome: Outcome): Outcome {
  const faults = outcome.faults.map(({ expected, seen }) => ({
    expected,
    seen: seen
      .replace('returned status 411', 'returned no response (curl 92)')
      .replace('status 411 instead of 200', 'no response (curl 92)'),
  }))
  return { ...outcome, faults }
}

const reasons = Object.entries(KNOWN).flatMap(([setUp, { ids, why }]) =>
  ids.map((id) => ({ frontEnd: setUp.split(', ')[0] ?? '', id, why })),
)
