import { describe, expect, it } from 'vitest'
import { CLIENT_ADDRESS } from '../../src/forward/field-rules.ts'
import { openForTest } from '../support/open-for-test.ts'
import { valuesOf } from '../support/wire.ts'
import { type FrontEndStage, HOST, openPartsStage } from './support/front-end-stage.ts'
import { servers, skips } from './support/real-server.ts'
import { PREFIX } from './support/started-site.ts'

const omitting = { forward: { clientAddress: 'omit' } }

describe.each(servers)('$name, forwarding by itself', (server) => {
  /** One request to a server that is started for it. */
  async function exchange(
    config: Record<string, unknown>,
    path: string,
    request?: Parameters<FrontEndStage['ask']>[1],
  ) {
    const toPoints = (port: number) => ['', '/shop'].map((at) => `http://${HOST}:${port}${at}${PREFIX}`)
    const stage = await openForTest(openPartsStage(server, 'forward', { config, toPoints }))
    return stage.ask(path, request)
  }

  it.skipIf(skips(server)).each([
    [
      'replaces what an untrusted peer says about the client',
      { listen: { trustedProxies: [] } },
      '127.0.0.1',
    ],
    ['sends nothing about the client', omitting, ''],
  ])('%s', async (_what, config, expected) => {
    const { seen } = await exchange(config, PREFIX, { lines: 'X-Forwarded-For: 192.0.2.7\r\n' })
    expect(seen.map((request) => valuesOf(request, 'x-forwarded-for').join())).toEqual([expected])
  })

  it.skipIf(skips(server))('sends the client’s address under no other name either', async () => {
    const lines = CLIENT_ADDRESS.flatMap((name) => [name, name.replaceAll('-', '_')])
      .map((name) => `${name}: 192.0.2.60\r\n`)
      .join('')
    const { seen } = await exchange(omitting, PREFIX, { lines })
    expect(seen.map(({ octets }) => octets.includes('192.0.2.60'))).toEqual([false])
  })

  it.skipIf(skips(server))('keeps the cookie path when the config says so', async () => {
    const { seen } = await exchange({ service: { keepCookiePath: true } }, `/shop${PREFIX}x`)
    expect(seen[0]?.startLine).toBe(`GET /shop${PREFIX}x HTTP/1.1`)
  })

  it.skipIf(skips(server) || server.name === 'apache')('refuses a body over the limit', async () => {
    const request = { method: 'POST', lines: 'Content-Length: 5\r\n', body: 'abcde' }
    const { status } = await exchange({ limits: { bodyBytes: 4 } }, PREFIX, request)
    expect([413, 502]).toContain(status)
  })
})
