/*
 * Node 22.23.0 to 22.23.3, 24.17.0 to 24.19.0 and 26.3.1 to 26.5.1: a certificate for an IPv6 address was refused, since
 * Node looked for a domain name. Here OpenSSL compares addresses, so `serve` reaches such a service on every release, and
 * `check` does not call its certificate wrong. An address that the certificate does not name is refused all the same.
 */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { networkProbe } from '../../src/probe/network-probe.ts'
import { certificate } from '../support/certificates/certificate.ts'
import { listenForTest } from '../support/listen.ts'
import { openClient } from '../support/raw-client.ts'
import { statusOf } from '../support/stage.ts'
import { startProxy } from '../support/start-proxy.ts'

describe.each([
  ['::1', 'address', 'address', 'accepted'],
  ['127.0.0.2', 'address', 'address', 'accepted'],
  ['127.0.0.1', 'address', 'address', 'refused'],
  ['127.0.0.1', 'service', 'authority', 'accepted'],
  ['::1', 'service', 'authority', 'refused'],
  // The name of another host does not count, and neither does the common name.
  ['::1', 'other-name', 'authority', 'refused'],
] as const)('at %s, a service with the certificate %s', (address, name, authority, verdict) => {
  const authorityFile = certificate(`${authority}.cert`)

  it(`is ${verdict} by serve`, async () => {
    const origin = await startService(address, name)
    const proxy = await startProxy(origin, { service: { ca: `file:${authorityFile}` } })
    const client = await openClient(proxy.port)
    client.write('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
    expect(statusOf(await client.response())).toBe(verdict === 'accepted' ? 200 : 502)
    client.close()
    await proxy.close()
  })

  it(`is ${verdict} by check`, async () => {
    const origin = await startService(address, name)
    const trust = { kind: 'only', certificates: [readFileSync(authorityFile, 'utf8')] } as const
    const { hostname: host, port } = new URL(origin)
    const connection = await networkProbe({ version: '0.0.0', overrides: [], trust }).connect(
      { scheme: 'https', host, port: Number(port) },
      address,
    )
    const fault = verdict === 'accepted' ? undefined : 'ERR_TLS_CERT_ALTNAME_INVALID'
    expect(connection).toMatchObject({ kind: 'open', certificate: { fault } })
  })
})

/** Returns its origin. */
async function startService(address: string, name: string): Promise<string> {
  const server = createServer(
    { cert: readFileSync(certificate(`${name}.cert`)), key: readFileSync(certificate(`${name}.key`)) },
    (_incoming, outgoing) => outgoing.end('ok'),
  )
  const port = await listenForTest(server, 0, address)
  return `https://${address.includes(':') ? `[${address}]` : address}:${port}`
}
