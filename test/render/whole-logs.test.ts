import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startUpstream } from '../support/recording-upstream.ts'
import { freePort, servers, skips, startSite } from './support/real-server.ts'
import { renderConfig } from './support/rendered.ts'

/** Each is in the request, and in no log: query, cookie, Referer and the client's address. */
const MARKS = ['query-mark', 'cookie-mark', 'referer-mark', '127.0.0.9'] as const
describe.each(servers)('the complete config for $name', (server) => {
  it.skipIf(skips(server)).each(['route', 'forward'] as const)(
    'in the mode %s, logs nothing of a request that fails',
    async (mode) => {
      const upstream = await startUpstream((_request, socket) => void socket.destroy())
      const port = await freePort()
      const points = [`http://localhost:${port}/service_cookie_transfer/`]
      const config = {
        service: { url: upstream.origin },
        widgetKey: 'env:WIDGET_KEY',
        points,
        log: { access: true },
      }
      const text = renderConfig(server.name, mode, config, upstream.authority)
      const keys = { WIDGET_KEY: 'the-key' }
      const frontEnd = await startSite(
        server,
        (folder) => ({
          ...server.keyFiles(keys),
          'server.conf': text.replaceAll(/\/var\/log\/(?:nginx|apache2)\//g, `${folder}/`),
        }),
        port,
        keys,
      )
      expect(await ask(port)).toMatch(/^HTTP\/1\.1 50[234] /)
      const files = readdirSync(frontEnd.folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => readFileSync(join(frontEnd.folder, name), 'utf8'))
      await frontEnd.close()
      await upstream.close()
      expect(upstream.octets.join('')).toContain('query-mark')
      const logged = [...files, frontEnd.log()].join('\n')
      expect(MARKS.filter((mark) => logged.includes(mark))).toEqual([])
    },
  )
})

async function ask(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' })
  let answer = ''
  socket.on('data', (piece) => {
    answer += piece.toString('latin1')
  })
  socket.write(
    `GET /service_cookie_transfer/a?query-mark HTTP/1.1\r\nHost: localhost:${port}\r\n` +
      'Cookie: a=cookie-mark\r\nReferer: http://localhost/referer-mark\r\nConnection: close\r\n\r\n',
  )
  await once(socket, 'close')
  return answer
}
