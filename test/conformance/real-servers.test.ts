import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startNodePoint, startWorkerPoint } from '../edge/support/edge-points.ts'
import { skipsWorkerd } from '../edge/support/workerd.ts'
import { serversInEachMode, skips } from '../front-ends/support/real-server.ts'
import { AUTHORITY, startTypicalSite } from '../front-ends/support/started-site.ts'
import { SHOP } from '../front-ends/support/typical-site.ts'
import { skipsVarnish, startVarnish } from '../front-ends/support/varnish.ts'
import type { Outcome } from './suite/suite.ts'
import { overHttp2 } from './support/http2-client.ts'
import { toMatrixPage, toTitle } from './support/matrix-page.ts'
import { judgePoint, PREFIX, type StartedPoint, startOwnProxy } from './support/started-point.ts'

const page = fileURLToPath(new URL('../../deploy/recipes/conformance.md', import.meta.url))
const trust = { kind: 'only', certificates: [AUTHORITY] } as const
/** Later versions encode more characters of a URL, which changes what the edge does in Node. */
const otherNode = process.versions.node.startsWith('20.')
  ? ''
  : ' (only on Node 20, with which it was written)'

/** A row of the page, or one for each protocol. */
interface FrontEnd {
  readonly frontEnd: string
  readonly setUps?: readonly string[] | undefined
  readonly isMissing?: boolean
  judge(): ReturnType<typeof judgePoint>
}

const frontEnds: readonly FrontEnd[] = [
  { frontEnd: 'serve', judge: () => judgePoint((serviceUrl) => startOwnProxy(serviceUrl)) },
  {
    frontEnd: 'edge',
    setUps: ['in Node'],
    judge: () => judgePoint((serviceUrl) => startNodePoint(serviceUrl)),
  },
  {
    frontEnd: 'edge',
    setUps: ['in workerd'],
    isMissing: skipsWorkerd,
    judge: () => judgePoint(startWorkerPoint),
  },
  ...serversInEachMode.map(({ server, mode }) => ({
    frontEnd: server.name,
    setUps: [mode, `${mode}, HTTP/2`],
    isMissing: skips(server),
    judge: () =>
      judgePoint((serviceUrl) => startTypicalSite(server, mode, serviceUrl), [undefined, overHttp2], {
        trust,
      }),
  })),
  {
    frontEnd: 'varnish',
    setUps: ['route'],
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

function toRows({ frontEnd, setUps = [] }: Pick<FrontEnd, 'frontEnd' | 'setUps'>) {
  return setUps.length === 0 ? [{ frontEnd }] : setUps.map((setUp) => ({ frontEnd, setUp }))
}

const rows = frontEnds.flatMap(toRows)

describe('rendered front ends', () => {
  const outcomesByTitle = new Map<string, readonly Outcome[]>()

  // Their cases wait for time limits more than they compute.
  describe.concurrent('side by side', () => {
    for (const { frontEnd, setUps, isMissing = false, judge } of frontEnds) {
      const [title = '', ...more] = toRows({ frontEnd, setUps }).map(toTitle)
      it.skipIf(isMissing)(
        `${title} passes every ${frontEnd === 'serve' ? 'case' : 'must'}`,
        async () => {
          const judged = await judge()
          for (const [at, each] of [title, ...more].entries()) {
            const outcomes = judged[at] ?? []
            outcomesByTitle.set(each, outcomes)
            const failed = outcomes.filter(
              ({ level, outcome }) => outcome === 'fail' && (level === 'must' || frontEnd === 'serve'),
            )
            const seen = failed.map(
              ({ id, faults }) => `${id}: ${faults.map((fault) => fault.seen).join('; ')}`,
            )
            expect(
              failed.map(({ id }) => id),
              `what no config can change needs its reason in KNOWN: ${seen.join('\n')}`,
            ).toEqual((KNOWN[each] ?? KNOWN[title])?.ids ?? [])
          }
        },
        120_000,
      )
    }
  })

  const missing = frontEnds.flatMap(({ isMissing = false, frontEnd }) => (isMissing ? [frontEnd] : []))
  const without = missing.length === 0 ? '' : ` (not without ${[...new Set(missing)].join(', ')})`
  it.skipIf(otherNode !== '' || missing.length > 0)(
    `the conformance page says what was found${otherNode}${without}`,
    async () => {
      const unknown = rows.map(toTitle).filter((title) => !outcomesByTitle.has(title))
      expect(unknown, 'no page is written without the outcomes of these').toEqual([])
      const found = rows.map((row) => ({ ...row, outcomes: outcomesByTitle.get(toTitle(row)) ?? [] }))
      await expect(toMatrixPage(found, reasons), 'npm run matrix writes it').toMatchFileSnapshot(page)
    },
  )
})

/** What no configuration of a front end can keep. */
const KNOWN: Readonly<Record<string, { readonly ids: readonly string[]; readonly why: string }>> = {
  'caddy, forward': {
    ids: ['target/sub-delims'],
    why: 'When Caddy strips a prefix, Go re-encodes the rest of the path, unless it contains a percent-encoded byte.',
  },
  'nginx, forward': { ids: ['answer/after-hints'], why: 'Before 1.29, nginx takes a 103 for the response.' },
  'haproxy, forward, HTTP/2': {
    ids: ['abort/service-leaves'],
    why: 'Before April 2024 (3fc38593d), HAProxy closes a stream when the service closes its connection, and browsers send the request again.',
  },
  'varnish, route': {
    ids: ['fields/forged-connection-lists-host'],
    why: 'Varnish refuses a request that names Host in Connection.',
  },
}

const reasons = Object.entries(KNOWN).flatMap(([setUp, { ids, why }]) =>
  ids.map((id) => ({ frontEnd: setUp.split(', ')[0] ?? '', id, why })),
)
