import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import { openForTest } from '../support/open-for-test.ts'
import { askOnce } from '../support/raw-client.ts'
import { statusOf } from '../support/stage.ts'
import { valuesOf } from '../support/wire.ts'
import { openRoutedStage } from './support/front-end-stage.ts'
import { freePort, type RunningServer, startSite } from './support/real-server.ts'
import { renderConfig } from './support/rendered.ts'
import { HOST, type Routing } from './support/routed-front-end.ts'
import { PREFIX } from './support/started-site.ts'
import {
  toTrafficServerFiles,
  trafficServer,
  trafficServerLogs,
  trafficServerSite,
} from './support/traffic-server.ts'

describe.skipIf(trafficServerSite.isMissing)('Traffic Server', () => {
  const openStage = (routing?: Routing) => openForTest(openRoutedStage(trafficServerSite, routing))

  it('accepts a head as large as the config allows', async () => {
    const stage = await openStage({ config: { limits: { headerBytes: 1_048_576 } } })
    const cookie = `a=${'x'.repeat(900_000)}`
    const { seen } = await stage.ask(PREFIX, { lines: `Cookie: ${cookie}\r\n` })
    expect(seen.map((request) => valuesOf(request, 'cookie'))).toEqual([[cookie]])
  }, 30_000)

  it('does not name itself, and leaves Accept-Encoding as it is', async () => {
    const stage = await openStage()
    const { seen, answer } = await stage.ask(PREFIX, { lines: 'Accept-Encoding: zstd, br;q=0.5\r\n' })
    const [request = { fields: [] }] = seen
    expect(valuesOf(request, 'accept-encoding')).toEqual(['zstd, br;q=0.5'])
    expect(valuesOf(request, 'client-ip')).toEqual([])
    expect(JSON.stringify([seen, answer])).not.toMatch(/traffic|ATS\//i)
  }, 30_000)

  it('leaves the client’s address out where the config says so', async () => {
    const stage = await openStage({ rendered: { forward: { clientAddress: 'omit' } } })
    const { seen } = await stage.ask(PREFIX, { lines: 'X-Forwarded-For: 192.0.2.1\r\n' })
    // serve trusts no proxy here, so it says which peer the request came from.
    expect(seen.map((request) => valuesOf(request, 'x-forwarded-for'))).toEqual([['127.0.0.1']])
  }, 30_000)
})

describe.skipIf(trafficServerSite.isMissing)('Traffic Server, while serve is down', () => {
  let server: RunningServer
  let port: number
  let servePort: number

  beforeAll(async () => {
    port = await freePort()
    servePort = await freePort()
    const config = { points: [`http://${HOST}:${port}${PREFIX}`] }
    const text = renderConfig('trafficserver', 'route', config, `127.0.0.1:${servePort}`)
    const records = ['proxy.config.log.max_secs_per_buffer INT 1']
    server = await startSite(trafficServer, toTrafficServerFiles(text, port, { records }), port)
  }, 30_000)
  afterAll(async () => {
    await server.close()
  })

  async function ask(path: string): Promise<string> {
    const head = `GET ${path} HTTP/1.1\r\nHost: ${HOST}:${port}\r\nCookie: cookie-mark=1\r\n\r\n`
    const answer = await askOnce(port, head)
    return `${statusOf(answer)} ${answer.body}`
  }

  it('shows nothing of the call to the client or in a log', async () => {
    expect(await ask(`${PREFIX}?query-mark`)).toMatch(/^502 (?!.*(?:mark|127\.0\.0\.1))/s)
    await ask('/?site-mark')
    await vi.waitFor(() => expect(trafficServerLogs(server)).toContain('site-mark'), 30_000)
    expect(trafficServerLogs(server)).not.toMatch(/query-mark|cookie-mark/)
  }, 60_000)

  it('forwards again as soon as it is back', async () => {
    expect(await ask(PREFIX)).toMatch(/^502 /)
    await listenForTest(
      createServer((_request, response) => response.end('back')),
      servePort,
    )
    expect(await ask(PREFIX)).toBe('200 back')
  })
})
