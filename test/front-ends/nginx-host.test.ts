import { describe, expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { askOnce } from '../support/raw-client.ts'
import { freePort, servers, skips, startServer } from './support/real-server.ts'
import { renderParts } from './support/rendered.ts'

const config = {
  service: { url: 'https://service.example' },
  widgetKey: 'env:KEY',
  points: ['https://www.example.com/service_cookie_transfer/'],
}

/** Over HTTP/3 nginx has no Host field, as for a request of HTTP/1.0 without one; Debian's nginx has no HTTP/3. */
describe.each(servers.filter(({ name }) => name === 'nginx'))('$name', (server) => {
  const http = renderParts('nginx', 'route', config).find(({ file }) => file.startsWith('conf.d/'))
  it.skipIf(skips(server))(
    'keeps Host as it arrived, adds one if there is none, and knows another',
    async () => {
      const port = await freePort()
      const text = `events {}
http {
  access_log off;
  ${http?.text}
  server {
    listen 127.0.0.1:${port};
    server_name www.example.com;
    location / { return 200 $continuation_host; }
  }
}
`
      await openForTest(startServer(server, text, port))
      const ask = async (head: string) => (await askOnce(port, `GET ${head}\r\n\r\n`)).body
      expect([
        await ask('/ HTTP/1.1\r\nHost: WWW.example.com:8443'),
        await ask('/ HTTP/1.1\r\nHost: www.example.com'),
        await ask('/ HTTP/1.0'),
        await ask('http://www.example.com/ HTTP/1.1\r\nHost: other.example'),
      ]).toEqual(['WWW.example.com:8443', 'www.example.com', `www.example.com:${port}`, ''])
    },
  )
})
