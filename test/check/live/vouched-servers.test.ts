import { expect, it } from 'vitest'
import { toWanted } from '../../../src/account/wanted.ts'
import {
  freePort,
  type RealServer,
  servers,
  skips,
  startServer,
} from '../../front-ends/support/real-server.ts'
import { WIDGET_KEY } from '../../support/front-ends/front-end.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { austere, lavish, opaque, startService } from '../../support/other-service.ts'
import { startProxy } from '../../support/start-proxy.ts'
import { aConfig, prefix } from '../a-config.ts'
import { saidOptions } from '../an-account.ts'
import { liveCheck } from './live-check.ts'

const nginx = servers.find(({ name }) => name === 'nginx') as RealServer

// What nginx does by itself is no fault. Each fault of a front end there is in vouched.test.ts.
it.skipIf(skips(nginx)).each([
  ['no cookie comes back', austere, '', []],
  ['it answers the same to everything', opaque, '', []],
  ['many cookies and redirects come back', lavish, '', []],
  ['it sets no Cookie', opaque, 'proxy_set_header Cookie "";', ['live/set-cookie']],
])('nginx before our own proxy, whose service reports nothing: %s', async (_what, service, lines, blamed) => {
  const { url } = await openForTest(startService(service))
  const port = await freePort()
  const origin = `http://www.shop.localhost:${port}`
  const points = [`${origin}${prefix}`]
  const proxy = await openForTest(startProxy(url, { points, widgetKey: WIDGET_KEY }))
  await openForTest(startServer(nginx, toText(port, proxy.port, lines), port))
  const account = saidOptions(toWanted(aConfig({ points })).wanted)
  const given = { points, pages: [`${origin}/`], service: url, widgetKey: WIDGET_KEY, account }
  const { failed, findings } = await liveCheck(given)
  expect(failed).toEqual(blamed)
  expect(findings.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
})

function toText(port: number, to: number, lines: string): string {
  return `worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  server {
    listen 127.0.0.1:${port};
    large_client_header_buffers 4 64k;
    location ^~ ${prefix} {
      proxy_pass http://127.0.0.1:${to};
      proxy_set_header Host $http_host; proxy_http_version 1.1; ${lines}
    }
  }
}
`
}
