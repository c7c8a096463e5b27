import { createServer } from 'node:https'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { createTrustingFetch, lookupLocally } from '../../src/api/transport-undici.ts'
import { pemOf } from '../support/certificates/certificate.ts'
import { listenForTest } from '../support/listen.ts'
import { startStub } from './support/stub-service.ts'

const authority = pemOf('authority.cert')

/** A service with this certificate; and how many connections it has seen. */
async function startService(certificate: string, host = 'localhost') {
  const pair = { cert: pemOf(`${certificate}.cert`), key: pemOf(`${certificate}.key`) }
  const server = createServer(pair, (_incoming, outgoing) => outgoing.end('[]'))
  const port = await listenForTest(server)
  const service = { baseUrl: `https://${host}:${port}/v2`, connections: 0 }
  server.on('connection', () => {
    service.connections += 1
  })
  return service
}

describe('names below localhost', () => {
  test('resolve to this machine, without DNS', async () => {
    const { baseUrl, arrivals } = await startStub({ body: [] })
    const url = new URL(baseUrl)
    url.hostname = 'cobrowse.shop.localhost.'
    const client = createClient({ baseUrl: url.href, apiKey: 'k', retries: 0 })
    expect(await client.agents.list()).toEqual([])
    expect(arrivals).toHaveLength(1)
  })

  test('do so with a private authority too, and the certificate must contain the name', async () => {
    const service = await startService('service', 'cobrowse.localhost')
    const fetch = createTrustingFetch(authority)
    const client = createClient({ baseUrl: service.baseUrl, apiKey: 'k', fetch, retries: 0 })
    await expect(client.agents.list()).rejects.toMatchObject({ kind: 'connection' })
    expect(service.connections).toBe(1)
  })

  test.each([
    [
      { all: true },
      [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    ],
    [{ all: true, family: 6 }, [{ address: '::1', family: 6 }]],
    [{}, '127.0.0.1'],
  ])('resolve with %j to %j', (options, expected) => {
    lookupLocally('a.localhost', options, (error, found) => expect([error, found]).toEqual([null, expected]))
  })
})

describe('a service with a certificate of a private authority', () => {
  test('is trusted with that authority', async () => {
    const { baseUrl } = await startService('service')
    const client = createClient({ baseUrl, apiKey: 'k', fetch: createTrustingFetch(authority) })
    expect(await client.agents.list()).toEqual([])
  })

  test.each([
    ['without it', 'service', undefined],
    ['with another name in the certificate', 'other-name', createTrustingFetch(authority)],
    ['with an expired certificate', 'expired', createTrustingFetch(authority)],
    ['with a self-signed certificate', 'self-signed', createTrustingFetch(authority)],
  ])('is not trusted %s', async (_name, certificate, fetch) => {
    const { baseUrl } = await startService(certificate)
    const client = createClient({ baseUrl, apiKey: 'k', fetch, retries: 0 })
    await expect(client.agents.list()).rejects.toMatchObject({ kind: 'connection' })
  })
})
