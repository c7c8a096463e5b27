import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/conformance/run-cases.ts'
import { startNodePoint, startWorkerPoint } from '../edge/support/edge-points.ts'
import { skipsWorkerd } from '../edge/support/workerd.ts'
import { servers, skips } from '../render/support/real-server.ts'
import { AUTHORITY, startTypicalSite } from '../render/support/started-site.ts'
import { skipsVarnish, varnishd } from '../render/support/varnishd.ts'
import { type MatrixRow, toMatrixPage } from './support/matrix-page.ts'
import { judgePoint, outcomesOf, startOwnProxy } from './support/started-point.ts'
import { startWholeFrontEnd } from './support/whole-front-end.ts'

const page = fileURLToPath(new URL('../../deploy/recipes/conformance.md', import.meta.url))
const trust = { kind: 'only', certificates: [AUTHORITY] } as const
const modes = ['route', 'forward'] as const
const setUps = servers.flatMap((server) => modes.map((mode) => ({ server, mode, name: server.name })))

describe.sequential('rendered front ends', () => {
  const rows: MatrixRow[] = []

  it('our own proxy passes every case', async () => {
    const outcomes = outcomesOf(await judgePoint((serviceUrl) => startOwnProxy(serviceUrl)))
    rows.push({ frontEnd: 'serve', outcomes })
    expect(outcomes.filter(({ outcome }) => outcome === 'fail')).toEqual([])
  })

  for (const [setUp, start, isMissing] of [
    ['in Node', startNodePoint, false],
    ['in workerd', startWorkerPoint, skipsWorkerd],
  ] as const) {
    it.skipIf(isMissing)(
      `edge, ${setUp}, passes every must`,
      async () => {
        const outcomes = outcomesOf(await judgePoint((serviceUrl) => start(serviceUrl)))
        rows.push({ frontEnd: 'edge', setUp, outcomes })
        expect(outcomes.filter(isFailedMust)).toEqual([])
      },
      60_000,
    )
  }

  it.each(setUps.filter(({ server }) => !skips(server)))(
    '$name, $mode, passes every must',
    async ({ server, mode, name }) => {
      const outcomes = outcomesOf(
        await judgePoint((serviceUrl) => startTypicalSite(server, mode, serviceUrl), { trust }),
      )
      rows.push({ frontEnd: name, setUp: mode, outcomes })
      const failed = outcomes.filter(isFailedMust).map(({ id }) => id)
      expect(failed).toEqual(KNOWN[`${name}, ${mode}`] ?? [])
    },
    120_000,
  )

  it.skipIf(skipsVarnish)(
    'varnish passes every must',
    async () => {
      const outcomes = outcomesOf(
        await judgePoint((serviceUrl) => startWholeFrontEnd('varnish', varnishd, serviceUrl)),
      )
      rows.push({ frontEnd: 'varnish', setUp: 'route', outcomes })
      expect(outcomes.filter(isFailedMust).map(({ id }) => id)).toEqual(KNOWN['varnish, route'])
    },
    60_000,
  )

  it.skipIf(skipsWorkerd || skipsVarnish || servers.some(skips))(
    'the page about conformance says what was found',
    async () => {
      await expect(toMatrixPage(rows)).toMatchFileSnapshot(page)
    },
  )
})

/** What a front end can't keep, whatever it is told; the page says so. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  // Go writes a path anew that Caddy took something off, unless an octet of it is percent-encoded.
  'caddy, forward': ['target/sub-delims'],
  // Varnish refuses such a request by itself: nothing is lost but the request.
  'varnish, route': ['fields/forged-connection-lists-host'],
}

function isFailedMust({ level, outcome }: Outcome): boolean {
  return level === 'must' && outcome === 'fail'
}
