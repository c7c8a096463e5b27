import { expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { valuesOf } from '../support/wire.ts'
import { type FrontEndStage, openPartsStage, openRoutedStage } from './support/front-end-stage.ts'
import { servers, skips } from './support/real-server.ts'
import { judgedFrontEnds } from './support/recipes-page.ts'
import { h2oSite, lighttpdSite, varnishSite } from './support/routing-servers.ts'
import { trafficServerSite } from './support/traffic-server.ts'

/** Longer than the site itself waits. */
const config = { timeouts: { connect: '1s', headers: '2s', idle: '2s' } }
/** A service that hangs. */
const script = () => {}

/** The site's own time limit, where its config may have one: shorter than that of `serve`. */
const impatient: Readonly<Record<string, (text: string) => string>> = {
  nginx: (text) => text.replace('http {', 'http { proxy_read_timeout 1s; proxy_send_timeout 1s;'),
  apache: (text) => `${text}\nTimeout 1\n`,
  haproxy: (text) => text.replace('timeout server 50s', 'timeout server 1s'),
}

const rows: readonly { name: string; isMissing: boolean; open(): Promise<FrontEndStage> }[] = [
  ...servers.map((server) => ({
    name: server.name,
    isMissing: skips(server),
    open: () =>
      openPartsStage(server, 'route', { script, config, edit: impatient[server.name] ?? ((text) => text) }),
  })),
  ...[varnishSite, h2oSite, lighttpdSite, trafficServerSite].map((site) => ({
    ...site,
    open: () => openRoutedStage(site, { config }, script),
  })),
]

it('every server that the conformance suite judges has a row', () => {
  expect(rows.map(({ name }) => name).toSorted(), 'add its site to rows').toEqual(judgedFrontEnds.toSorted())
})

it.for(rows)(
  'a service that hangs: serve answers, since $name waits longer',
  async ({ isMissing, open }, { skip }) => {
    if (isMissing) skip()
    const stage = await openForTest(open())
    const { status, answer } = await stage.ask('/service_cookie_transfer/')
    const [by] = valuesOf(answer, 'proxy-status').join().split(';')
    expect([status, by]).toEqual([504, 'continuation-point'])
  },
)
