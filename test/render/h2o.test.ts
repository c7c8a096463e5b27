import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { h2o as recipe } from '../../src/render/h2o.ts'
import { toSite } from '../../src/render/site.ts'
import { openClient } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { type RunningProxy, startProxy } from '../support/start-proxy.ts'
import { valuesOf } from '../support/wire.ts'
import { h2o, skipsH2o, toH2oConfig } from './support/h2o.ts'
import { legalConfigs } from './support/legal-configs.ts'
import { checkSite, freePort, type RunningServer, startSite } from './support/real-server.ts'
import { renderConfig } from './support/rendered.ts'

const PREFIX = '/service_cookie_transfer/'
const ODD_PATH = "/caf%C3%A9%20%5B$x'(1)%7B;/service_cookie_transfer/"

const siteFiles = (port: number, text: string) => () => ({ 'server.conf': toH2oConfig(text, port) })

describe('h2o', () => {
  it.skipIf(skipsH2o).each(legalConfigs)('accepts what is rendered: %s', async (_what, config) => {
    const text = renderConfig('h2o', 'route', config)
    const { code, output } = await checkSite(h2o, siteFiles(8000, text))
    expect(code, output).toBe(0)
    expect(output).not.toMatch(/warn|error|unknown/i)
  })
})

describe.skipIf(skipsH2o)('h2o, in front of serve', () => {
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
    proxy = await startProxy(upstream.origin, { points, listen: { trustedProxies: [] } })
    const config = { service: { url: upstream.origin }, points }
    const text = renderConfig('h2o', 'route', config, `127.0.0.1:${proxy.port}`)
    frontEnd = await startSite(h2o, siteFiles(port, text), port)
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

  it('tells its own address, and nothing that was sent about the client', async () => {
    const { seen } = await ask(PREFIX, 'X-Forwarded-For: 192.0.2.1\r\n')
    expect(valuesOf(seen[0] ?? { fields: [] }, 'x-forwarded-for')).toEqual(['127.0.0.1'])
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
    ['a way out of the point', `${PREFIX}..%2fmissing`, 404],
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

describe('what is not rendered for h2o', () => {
  const reason = (config: Record<string, unknown>) => {
    const parsed = parseConfig(JSON.stringify(config), 'test.json')
    if ('problems' in parsed) throw new Error('no config')
    const made = toSite(parsed.config, { mode: 'route', form: 'parts', upstream: undefined, nameServers: [] })
    if ('problems' in made) throw new Error('no site')
    return recipe.reasonAgainst?.(made.site)
  }
  const listen = { trustedProxies: [] }

  it.each([
    [
      'a serve that believes its neighbours',
      { points: [`https://a.example${PREFIX}`] },
      /set listen.trustedProxies to \[\]/,
    ],
    [
      'a host on http and https',
      { points: [`https://a.example${PREFIX}`, `http://a.example${PREFIX}`], listen },
      /on http and on https/,
    ],
    [
      'a path with a control character',
      { points: [`https://a.example/%00${PREFIX}`], listen },
      /control characters/,
    ],
    [
      'nothing else',
      { points: [`https://a.example${PREFIX}`, `http://b.example${PREFIX}`], listen },
      undefined,
    ],
  ])('%s', (_what, config, expected) => {
    const seen = reason(config)
    if (expected === undefined) expect(seen).toBeUndefined()
    else expect(seen).toMatch(expected)
  })
})
