import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { lookupLocally } from '../../src/api/transport-loopback.ts'
import { toTrustingFetch } from '../../src/api/transport-trusting.ts'
import { startStub } from './support/stub-service.ts'

test('a name below localhost is this machine, without DNS', async () => {
  const { baseUrl, arrivals } = await startStub({ body: [] })
  const url = new URL(baseUrl)
  url.hostname = 'cobrowse.shop.localhost'
  const client = createClient({ baseUrl: url.href, apiKey: 'k', retries: 0 })
  expect(await client.agents.list()).toEqual([])
  expect(arrivals).toHaveLength(1)
})

test('also with a private authority, whose certificate then has to hold the name', async () => {
  const readPem = (name: string) =>
    readFileSync(new URL(`../support/certificates/${name}.pem`, import.meta.url), 'utf8')
  const certificate = { cert: readPem('service.cert'), key: readPem('service.key') }
  const server = createServer(certificate, (_incoming, outgoing) => outgoing.end('[]'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  const baseUrl = `https://cobrowse.localhost:${(server.address() as AddressInfo).port}/v2`
  const fetch = toTrustingFetch(readPem('authority.cert'))
  const client = createClient({ baseUrl, apiKey: 'k', fetch, retries: 0 })
  await expect(client.agents.list()).rejects.toMatchObject({ kind: 'connection' })
  expect(connections).toBe(1)
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
])('with %j it gives %j', (options, expected) => {
  lookupLocally('a.localhost', options, (error, found) => expect([error, found]).toEqual([null, expected]))
})
