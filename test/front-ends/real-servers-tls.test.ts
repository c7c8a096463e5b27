import { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { valuesOf } from '../support/wire.ts'
import { openTypicalStage, type TypicalChanges } from './support/front-end-stage.ts'
import { servers, skips } from './support/real-server.ts'
import { PREFIX } from './support/started-site.ts'

/** Without any line about TLS that is printed, nginx, Apache, HAProxy or Caddy fails one of these. */
const services: readonly (readonly [what: string, TypicalChanges, outcome: 200 | 'refused'])[] = [
  ['the right certificate', { certificate: 'service' }, 200],
  ['TLS 1.3 only', { certificate: 'service', tls: { minVersion: 'TLSv1.3' } }, 200],
  ['the certificate of another name', { certificate: 'other-name' }, 'refused'],
  ['an expired certificate', { certificate: 'expired' }, 'refused'],
  ['a certificate of no authority', { certificate: 'self-signed' }, 'refused'],
]

describe.each(servers)('$name forwards over TLS', (server) => {
  it.skipIf(skips(server)).each(services)(
    'from the parts in a site to a service with %s',
    async (_what, changes, outcome) => {
      const names: unknown[] = []
      const stage = await openTypicalStage(server, 'forward', {
        ...changes,
        onConnection: (socket) => names.push(socket instanceof TLSSocket && socket.servername),
      })
      const { upstream } = stage
      const { status, seen } = await stage.ask(PREFIX, { lines: 'Cookie: secret=1\r\n' })
      await stage.close()
      if (outcome === 200) {
        expect([status, names.at(-1)]).toEqual([200, 'localhost'])
        expect(seen.map((request) => valuesOf(request, 'host'))).toEqual([[`localhost:${upstream.port}`]])
      } else {
        expect([500, 502, 503]).toContain(status)
        expect(upstream.octets.join('')).toBe('')
      }
    },
  )
})
