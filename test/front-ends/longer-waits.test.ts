import { describe, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { startProxy } from '../support/start-proxy.ts'
import { valuesOf } from '../support/wire.ts'
import { h2oSite, skipsH2o } from './support/h2o.ts'
import { lighttpdSite, skipsLighttpd } from './support/lighttpd.ts'
import { freePort, servers, skips } from './support/real-server.ts'
import { judgedFrontEnds } from './support/recipes-page.ts'
import { renderParts } from './support/rendered.ts'
import { startRouted } from './support/routed-front-end.ts'
import { startSmallestSite } from './support/smallest-site.ts'
import { skipsTrafficServer, trafficServerSite } from './support/traffic-server.ts'
import { skipsVarnish, varnishSite } from './support/varnishd.ts'

const PATH = '/service_cookie_transfer/'
/** Longer than the site itself waits. */
const timeouts = { connect: '1s', headers: '2s', idle: '2s' }

/** The site's own time limit, where its config may have one: shorter than that of `serve`. */
const impatient: Readonly<Record<string, (text: string) => string>> = {
  nginx: (text) => text.replace('http {', 'http { proxy_read_timeout 1s; proxy_send_timeout 1s;'),
  apache: (text) => `${text}\nTimeout 1\n`,
  haproxy: (text) => text.replace('timeout server 50s', 'timeout server 1s'),
}

const routers = [
  { server: varnishSite, isSkipped: skipsVarnish, trustedProxies: undefined },
  // As its recipe asks.
  { server: h2oSite, isSkipped: skipsH2o, trustedProxies: [] },
  { server: lighttpdSite, isSkipped: skipsLighttpd, trustedProxies: undefined },
  { server: trafficServerSite, isSkipped: skipsTrafficServer, trustedProxies: undefined },
].map((row) => ({ ...row, name: row.server.name }))

it('every server that the conformance suite judges has a row', () => {
  expect([...servers, ...routers].map(({ name }) => name).toSorted(), 'routers have a row of each').toEqual(
    judgedFrontEnds.toSorted(),
  )
})

describe('a service that hangs: serve answers, since the front end waits longer', () => {
  it.for(servers)('$name', async (server, { skip }) => {
    if (skips(server)) skip()
    const upstream = await startUpstream(() => {})
    const port = await freePort()
    const points = [`http://www.example.com:${port}${PATH}`]
    const proxy = await startProxy(upstream.origin, { points, timeouts })
    const config = { service: { url: upstream.origin }, points, timeouts }
    const parts = renderParts(server.name, 'route', config, `127.0.0.1:${proxy.port}`)
    const site = await startSmallestSite(server, parts, points, {
      edit: impatient[server.name] ?? ((text) => text),
    })
    const answer = await ask(port)
    await site.close()
    await proxy.close()
    await upstream.close()
    expect(answer).toEqual([504, 'continuation-point'])
  })

  it.for(routers)('$name', async ({ server, isSkipped, trustedProxies }, { skip }) => {
    if (isSkipped) skip()
    const upstream = await startUpstream(() => {})
    const site = await startRouted(server, upstream.origin, {
      toPoints: (port) => [`http://www.example.com:${port}${PATH}`],
      ...(trustedProxies === undefined ? {} : { trustedProxies }),
      config: { timeouts, listen: { trustedProxies: trustedProxies ?? ['loopback'] } },
    })
    const answer = await ask(site.port)
    await site.close()
    await upstream.close()
    expect(answer).toEqual([504, 'continuation-point'])
  })
})

/** The status, and the reason that `serve` gives. */
async function ask(port: number): Promise<readonly unknown[]> {
  const client = await openClient(port)
  client.write(`GET ${PATH} HTTP/1.1\r\nHost: www.example.com:${port}\r\n\r\n`)
  const answer = await client.response()
  client.close()
  return [statusOf(answer), valuesOf(answer, 'proxy-status').join().split(';')[0]]
}
