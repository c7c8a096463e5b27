import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { type RunningProxy, startProxy } from '../support/start-proxy.ts'
import { valuesOf } from '../support/wire.ts'
import { legalConfigs } from './support/legal-configs.ts'
import { lighttpd, skipsLighttpd } from './support/lighttpd.ts'
import { checkSite, freePort, type RunningServer, startSite } from './support/real-server.ts'
import { renderConfig } from './support/rendered.ts'

const PREFIX = '/service_cookie_transfer/'
const ODD_PATH = "/caf%C3%A9%20%5B$x'(1)%7B;/service_cookie_transfer/"

/** A site whose own rules are to hold as before. */
const siteFiles = (port: number, text: string) => (folder: string) => ({
  'server.conf': `server.document-root = "${folder}"
server.bind = "127.0.0.1"
server.port = ${port}
server.modules = ( "mod_access" )
$HTTP["url"] =~ "^/admin" { url.access-deny = ( "" ) }
include "continuation-point.conf"
`,
  'continuation-point.conf': text,
})

describe('lighttpd', () => {
  it.skipIf(skipsLighttpd).each(legalConfigs)('accepts what is rendered: %s', async (_what, config) => {
    const text = renderConfig('lighttpd', 'route', config)
    const { code, output } = await checkSite(lighttpd, siteFiles(8000, text))
    expect(code, output).toBe(0)
    expect(output).not.toMatch(/warn|error|unknown/i)
  })
})

describe.skipIf(skipsLighttpd)('lighttpd, in front of serve', () => {
  let upstream: RecordingUpstream
  let proxy: RunningProxy
  let frontEnd: RunningServer
  let port: number
  let host: string

  beforeAll(async () => {
    upstream = await startUpstream()
    port = await freePort()
    host = `www.example.com:${port}`
    const points = [
      `http://${host}${PREFIX}`,
      `http://other.example:${port}${PREFIX}`,
      `http://${host}${ODD_PATH}`,
    ]
    // serve has a point on https too, which a client of http must not reach.
    const served = [...points, `https://${host}${PREFIX}`]
    proxy = await startProxy(upstream.origin, {
      points: served,
      listen: { trustedProxies: ['loopback'] },
    })
    const config = { service: { url: upstream.origin }, points }
    const text = renderConfig('lighttpd', 'route', config, `127.0.0.1:${proxy.port}`)
    frontEnd = await startSite(lighttpd, siteFiles(port, text), port)
  }, 60_000)
  afterAll(async () => {
    await frontEnd.close()
    await proxy.close()
    await upstream.close()
  })

  /** Asks on a connection of its own; gives the status and what the service saw. */
  async function ask(path: string, lines = '', method = 'GET') {
    const before = upstream.requests.length
    const client = await openClient(port)
    client.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`)
    const status = statusOf(await client.response(method))
    client.close()
    return { status, seen: upstream.requests.slice(before) }
  }

  it.each([
    ['X-Forwarded-Host', `other.example:9`],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Port', '1'],
    ['Forwarded', 'host=other.example;proto=https'],
    ['X-Host', 'other.example'],
  ])('a client chooses no other point with %s: %s', async (name, value) => {
    const { status, seen } = await ask(PREFIX, `${name}: ${value.replace(':9', `:${port}`)}\r\n`)
    expect(status).toBe(200)
    expect(valuesOf(seen[0] ?? { fields: [] }, 'x-continuation-origin')).toEqual([`http://${host}`])
  })

  it('tells the client’s address, and nothing that was sent about it', async () => {
    const { seen } = await ask(PREFIX, 'X-Forwarded-For: 192.0.2.1\r\n')
    expect(valuesOf(seen[0] ?? { fields: [] }, 'x-forwarded-for')).toEqual(['127.0.0.1, 127.0.0.1'])
  })

  it.each([
    ['the raw path', `${PREFIX}a%2Fb%41//c%7e;v=1?q=%2e%2E/..&a+b`],
    ['the raw query', `${PREFIX}?|^\`{}"`],
    ['a point that a pattern would read otherwise', `${ODD_PATH}x`],
  ])('keeps %s', async (_what, path) => {
    const { seen } = await ask(path)
    expect(seen.map(({ startLine }) => startLine)).toEqual([
      `GET ${path.slice(path.indexOf(PREFIX))} HTTP/1.1`,
    ])
  })

  it.each([
    ['a page of the site that is not there', '/missing', 404],
    ['a path that only begins alike', '/service_cookie_transferred/', 404],
    ['another case', '/Service_Cookie_Transfer/', 404],
    ['an encoded letter of the prefix', '/service_cookie_%74ransfer/', 404],
    ['a way out of the point', `${PREFIX}..%2fmissing`, 404],
    ['a way out of the point to what the site denies', `${PREFIX}..%2fadmin`, 403],
    ['what the site denies', '/admin', 403],
    ['what the site denies, encoded', '/%61dmin', 403],
    ['what the site denies, on a detour', '/x/../admin', 403],
  ])('does not forward %s', async (_what, path, status) => {
    expect(await ask(path)).toEqual({ status, seen: [] })
  })

  it('does not echo with TRACE', async () => {
    expect(await ask(PREFIX, '', 'TRACE')).toEqual({ status: 405, seen: [] })
  })

  it('takes a cookie of 60 KiB', async () => {
    const cookie = `a=${'x'.repeat(60 * 1024)}`
    expect(
      valuesOf((await ask(PREFIX, `Cookie: ${cookie}\r\n`)).seen[0] ?? { fields: [] }, 'cookie'),
    ).toEqual([cookie])
  })
})
