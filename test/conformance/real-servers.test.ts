import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startNodePoint, startWorkerPoint } from '../edge/support/edge-points.ts'
import { skipsWorkerd } from '../edge/support/workerd.ts'
import { servers, skips } from '../front-ends/support/real-server.ts'
import { AUTHORITY, startTypicalSite } from '../front-ends/support/started-site.ts'
import { SHOP } from '../front-ends/support/typical-site.ts'
import { skipsVarnish, startVarnish } from '../front-ends/support/varnish.ts'
import type { Outcome, SuiteResult, SuiteSettings } from './suite/suite.ts'
import { curlOverHttp2, skipsCurl } from './support/curl-client.ts'
import { toMatrixPage, toTitle } from './support/matrix-page.ts'
import { judgePoint, outcomesOf, PREFIX, type StartedPoint, startOwnProxy } from './support/started-point.ts'

const page = fileURLToPath(new URL('../../deploy/recipes/conformance.md', import.meta.url))
const trust = { kind: 'only', certificates: [AUTHORITY] } as const
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
    frontEnd: 'varnish',
    setUp: 'route',
    isMissing: skipsVarnish,
    judge: () => judgePoint(startVarnishOverHttp),
  },
]

/** The example, for another host and scheme. */
function startVarnishOverHttp(serviceUrl: string): Promise<StartedPoint> {
  return startVarnish(
    serviceUrl,
    (port) => `http://${SHOP}:${port}${PREFIX}`,
    (text) =>
      text
        .replace(/\^www\\\.example\\\.com\(\?::443\)\?\$/, `^${SHOP}:\\d+$`)
        .replace('X-Forwarded-Proto = "https"', 'X-Forwarded-Proto = "http"'),
  )
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
          outcomesByTitle.set(title, outcomes)
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
  'varnish, route': {
    ids: ['fields/forged-connection-lists-host'],
    why: 'Varnish refuses a request that names Host in Connection.',
  },
}

const reasons = Object.entries(KNOWN).flatMap(([setUp, { ids, why }]) =>
  ids.map((id) => ({ frontEnd: setUp.split(', ')[0] ?? '', id, why })),
)
