import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/conformance/run-cases.ts'
import { startNodePoint, startWorkerPoint } from '../edge/support/edge-points.ts'
import { skipsWorkerd } from '../edge/support/workerd.ts'
import { h2o, skipsH2o, toH2oConfig } from '../render/support/h2o.ts'
import { skipsLighttpd } from '../render/support/lighttpd.ts'
import { servers, skips } from '../render/support/real-server.ts'
import { AUTHORITY, startTypicalSite } from '../render/support/started-site.ts'
import { skipsVarnish, varnishd } from '../render/support/varnishd.ts'
import { startCloudflareWorker } from './support/cloudflare-worker.ts'
import { curlOverHttp2, skipsCurl } from './support/curl-client.ts'
import { startLighttpdSite } from './support/lighttpd-site.ts'
import { type MatrixRow, toMatrixPage } from './support/matrix-page.ts'
import { judgePoint, outcomesOf, startOwnProxy } from './support/started-point.ts'
import { startWholeFrontEnd } from './support/whole-front-end.ts'

const page = fileURLToPath(new URL('../../deploy/recipes/conformance.md', import.meta.url))
const trust = { kind: 'only', certificates: [AUTHORITY] } as const
const modes = ['route', 'forward'] as const
const setUps = servers.flatMap((server) => modes.map((mode) => ({ server, mode, name: server.name })))

/** Later versions encode more characters of a URL, which the edge shows when it runs in Node. */
const otherNode = process.versions.node.startsWith('20.') ? '' : ' (only on Node 20, of which it was written)'

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
      expect(failedMusts(outcomes)).toEqual(KNOWN[`${name}, ${mode}`]?.ids ?? [])
    },
    120_000,
  )

  it.each(setUps.filter(({ server }) => !skips(server) && !skipsCurl))(
    '$name, $mode, passes every must that HTTP/2 has words for',
    async ({ server, mode, name }) => {
      const outcomes = outcomesOf(
        await judgePoint((serviceUrl) => startTypicalSite(server, mode, serviceUrl), {
          trust,
          client: curlOverHttp2,
        }),
      )
      rows.push({ frontEnd: name, setUp: `${mode}, HTTP/2`, outcomes })
      expect(failedMusts(outcomes)).toEqual(
        KNOWN[`${name}, ${mode}, HTTP/2`]?.ids ?? KNOWN[`${name}, ${mode}`]?.ids ?? [],
      )
    },
    120_000,
  )

  it.skipIf(skipsWorkerd)(
    'the Worker for Cloudflare passes every must, in workerd',
    async () => {
      const outcomes = outcomesOf(await judgePoint(startCloudflareWorker))
      rows.push({ frontEnd: 'cloudflare-worker', setUp: 'in workerd', outcomes })
      expect(failedMusts(outcomes)).toEqual([])
    },
    60_000,
  )

  it.skipIf(skipsLighttpd)(
    'lighttpd passes every must',
    async () => {
      const outcomes = outcomesOf(await judgePoint(startLighttpdSite))
      rows.push({ frontEnd: 'lighttpd', setUp: 'route', outcomes: outcomes.map(atWorst) })
      expect(failedMusts(outcomes)).toEqual([])
    },
    60_000,
  )

  it.skipIf(skipsH2o)(
    'h2o passes every must',
    async () => {
      const outcomes = outcomesOf(
        await judgePoint((serviceUrl) =>
          startWholeFrontEnd('h2o', () => h2o, serviceUrl, { trustedProxies: [], toText: toH2oConfig }),
        ),
      )
      rows.push({ frontEnd: 'h2o', setUp: 'route', outcomes })
      expect(failedMusts(outcomes)).toEqual(KNOWN['h2o, route']?.ids ?? [])
    },
    60_000,
  )

  it.skipIf(skipsVarnish)(
    'varnish passes every must',
    async () => {
      const outcomes = outcomesOf(
        await judgePoint((serviceUrl) => startWholeFrontEnd('varnish', varnishd, serviceUrl)),
      )
      rows.push({ frontEnd: 'varnish', setUp: 'route', outcomes })
      expect(failedMusts(outcomes)).toEqual(KNOWN['varnish, route']?.ids)
    },
    60_000,
  )

  it.skipIf(
    otherNode !== '' ||
      skipsWorkerd ||
      skipsVarnish ||
      skipsLighttpd ||
      skipsH2o ||
      skipsCurl ||
      servers.some(skips),
  )(`the page about conformance says what was found${otherNode}`, async () => {
    await expect(toMatrixPage(rows, reasons)).toMatchFileSnapshot(page)
  })
})

/** What a front end can't keep, whatever it is told. */
const KNOWN: Readonly<Record<string, { readonly ids: readonly string[]; readonly why: string }>> = {
  'caddy, forward': {
    ids: ['target/sub-delims'],
    why: 'Go writes a path anew that Caddy took something off, unless an octet of it is percent-encoded.',
  },
  'haproxy, forward, HTTP/2': {
    ids: ['abort/service-leaves', 'abort/post-sent-once'],
    why: 'When the service closes a connection instead of answering, HAProxy resets the stream as refused. That tells a client that nothing was done, so curl and browsers send the request again, a POST too.',
  },
  'varnish, route': {
    ids: ['fields/forged-connection-lists-host'],
    why: 'Varnish refuses a request that names Host in Connection.',
  },
}

/** lighttpd ends such an answer, or breaks it off, by what it has read when the service is gone: the worse is written. */
function atWorst(outcome: Outcome): Outcome {
  if (outcome.id !== 'abort/service-cuts-chunks') return outcome
  const fault = { expected: 'the answer breaks off', seen: 'an answer that looks whole, at times' }
  return { ...outcome, outcome: 'fail', faults: [fault] }
}

const reasons = Object.entries(KNOWN).flatMap(([setUp, { ids, why }]) =>
  ids.map((id) => ({ frontEnd: setUp.split(', ')[0] ?? '', id, why })),
)

function failedMusts(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.filter(isFailedMust).map(({ id }) => id)
}

function isFailedMust({ level, outcome }: Outcome): boolean {
  return level === 'must' && outcome === 'fail'
}
