import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { toTrustingFetch } from '../../src/api/transport-trusting.ts'

const readPem = (name: string) =>
  readFileSync(new URL(`../support/certificates/${name}.pem`, import.meta.url), 'utf8')

async function startService(name: string): Promise<string> {
  const certificate = { cert: readPem(`${name}.cert`), key: readPem(`${name}.key`) }
  const server = createServer(certificate, (_incoming, outgoing) => outgoing.end('[]'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://localhost:${(server.address() as AddressInfo).port}/v2`
}

const authority = readPem('authority.cert')

test('a service whose certificate a private authority signed is trusted with it', async () => {
  const baseUrl = await startService('service')
  const client = createClient({ baseUrl, apiKey: 'k', fetch: toTrustingFetch(authority) })
  expect(await client.agents.list()).toEqual([])
})

test.each([
  ['without it', 'service', undefined],
  ['with another name in the certificate', 'other-name', toTrustingFetch(authority)],
  ['with an expired certificate', 'expired', toTrustingFetch(authority)],
  ['with a certificate that signs itself', 'self-signed', toTrustingFetch(authority)],
])('and not %s', async (_name, certificate, fetch) => {
  const client = createClient({ baseUrl: await startService(certificate), apiKey: 'k', fetch, retries: 0 })
  await expect(client.agents.list()).rejects.toMatchObject({ kind: 'connection' })
})
