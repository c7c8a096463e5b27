import { describe, expect, it } from 'vitest'
import { CLIENT_ADDRESS } from '../../src/forward/field-rules.ts'
import { openClient } from '../support/raw-client.ts'
import { type RecordedRequest, startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { valuesOf } from '../support/wire.ts'
import { freePort, type RealServer, servers, skips } from './support/real-server.ts'
import { renderParts } from './support/rendered.ts'
import { startSmallestSite } from './support/smallest-site.ts'

const PREFIX = '/service_cookie_transfer/'
const ADDRESS_LINE = 'X-Forwarded-For: 192.0.2.7\r\n'

describe.each(servers)('$name, forwarding by itself', (server) => {
  it.skipIf(skips(server)).each([
    [
      'replaces what an untrusted peer says about the client',
      { listen: { trustedProxies: [] } },
      '127.0.0.1',
    ],
    ['sends nothing about the client', { forward: { clientAddress: 'omit' } }, ''],
  ])('%s', async (_what, config, expected) => {
    const { seen } = await exchange(server, config, `GET ${PREFIX} HTTP/1.1`, ADDRESS_LINE)
    expect(seen).toHaveLength(1)
    expect(valuesOf(seen[0] ?? { fields: [] }, 'x-forwarded-for').join()).toBe(expected)
  })

  it.skipIf(skips(server))('sends the client’s address under no other name either', async () => {
    const lines = CLIENT_ADDRESS.flatMap((name) => [name, name.replaceAll('-', '_')])
      .map((name) => `${name}: 192.0.2.60\r\n`)
      .join('')
    const config = { forward: { clientAddress: 'omit' } }
    const { seen } = await exchange(server, config, `GET ${PREFIX} HTTP/1.1`, lines)
    expect(seen).toHaveLength(1)
    expect(seen[0]?.octets).not.toContain('192.0.2.60')
  })

  it.skipIf(skips(server))('keeps the cookie path when the config says so', async () => {
    const { seen } = await exchange(server, { keepCookiePath: true }, `GET /shop${PREFIX}x HTTP/1.1`)
    expect(seen[0]?.startLine).toBe(`GET /shop${PREFIX}x HTTP/1.1`)
  })

  it.skipIf(skips(server) || server.name === 'apache')('refuses a body over the limit', async () => {
    const config = { limits: { bodyBytes: 4 } }
    const { status } = await exchange(
      server,
      config,
      `POST ${PREFIX} HTTP/1.1`,
      'Content-Length: 5\r\n',
      'abcde',
    )
    expect([413, 502]).toContain(status)
  })
})

/** One exchange with a server that is started for it. */
async function exchange(
  server: RealServer,
  { keepCookiePath = false, ...config }: Record<string, unknown>,
  requestLine: string,
  lines = '',
  body = '',
): Promise<{ status: number; seen: readonly RecordedRequest[] }> {
  const upstream = await startUpstream()
  const port = await freePort()
  const authority = `www.example.com:${port}`
  const points = [`http://${authority}${PREFIX}`, `http://${authority}/shop${PREFIX}`]
  const parts = renderParts(server.name, 'forward', {
    service: { url: upstream.origin, keepCookiePath },
    widgetKey: 'env:WIDGET_KEY',
    points,
    ...config,
  })
  const frontEnd = await startSmallestSite(server, parts, points)
  const client = await openClient(port)
  client.write(`${requestLine}\r\nHost: ${authority}\r\n${lines}\r\n${body}`)
  const status = statusOf(await client.response())
  client.close()
  await frontEnd.close()
  await upstream.close()
  return { status, seen: upstream.requests }
}
