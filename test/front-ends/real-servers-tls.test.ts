import { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { openTypicalStage } from './support/front-end-stage.ts'
import { servers, skips } from './support/real-server.ts'
import { PREFIX } from './support/started-site.ts'

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
      const stage = await openTypicalStage(server, 'forward', {
        certificate,
        onConnection: (socket) => names.push(socket instanceof TLSSocket && socket.servername),
      })
      const { status, seen } = await stage.ask(PREFIX, { lines: 'Cookie: secret=1\r\n' })
      await stage.close()
      if (outcome === 200) {
        expect([status, seen.length]).toEqual([200, 1])
        expect(names).toContain('localhost')
      } else {
        expect([500, 502, 503]).toContain(status)
        expect(stage.upstream.octets.join('')).toBe('')
      }
    },
  )
})
