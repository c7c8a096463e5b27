import { readFileSync } from 'node:fs'
import { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { servers, skips } from './support/real-server.ts'
import { AUTHORITY, KEY, PREFIX, startTypicalSite } from './support/started-site.ts'

const certificates = [
  ['service', 200],
  ['other-name', 'refused'],
  ['expired', 'refused'],
  ['self-signed', 'refused'],
] as const

describe.each(servers)('$name forwards over TLS', (server) => {
  it.skipIf(skips(server)).each(certificates)(
    'from the parts in a site to a service with the certificate %s: %s',
    async (certificate, outcome) => {
      const names: unknown[] = []
      const upstream = await startUpstream(undefined, {
        tls: { key: read(`${certificate}.key`), cert: read(`${certificate}.cert`) },
        onConnection: (socket) => names.push(socket instanceof TLSSocket && socket.servername),
      })
      const service = { url: `https://localhost:${upstream.port}`, ca: `file:${fileOf('authority.cert')}` }
      const site = await startTypicalSite(server, 'forward', service.url, { WIDGET_KEY: KEY }, service)
      const client = await openClient(site.tlsPort, { ca: AUTHORITY, servername: 'localhost' })
      client.write(`GET ${PREFIX} HTTP/1.1\r\nHost: localhost:${site.tlsPort}\r\nCookie: secret=1\r\n\r\n`)
      const status = statusOf(await client.response())
      client.close()
      await site.close()
      await upstream.close()
      if (outcome === 200) {
        expect([status, upstream.requests.length]).toEqual([200, 1])
        expect(names).toContain('localhost')
      } else {
        expect([500, 502, 503]).toContain(status)
        expect(upstream.octets.join('')).toBe('')
      }
    },
  )
})

function read(name: string): string {
  return readFileSync(fileOf(name), 'utf8')
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../support/certificates/${name}.pem`, import.meta.url))
}
