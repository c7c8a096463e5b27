/* What `monitor` reports of real sites that fail for some requests, that hang, and of which nothing can be found out. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../src/sandbox/state/account.ts'
import { freePort, type RealServer, servers, skips, startServer } from '../front-ends/support/real-server.ts'
import { startReceiver } from '../monitor/webhook-receiver.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { closedPort, startRawFrontEnd } from '../support/front-ends/raw-front-end.ts'
import { endAfterTest, openForTest } from '../support/open-for-test.ts'
import { startProgram } from '../support/program.ts'
import { startProxy, WIDGET_KEY } from '../support/start-proxy.ts'
import { fakeIo } from './fake-io.ts'

const PREFIX = '/service_cookie_transfer/'

/** The monitor as a program, and what the webhook got. */
async function startMonitor(config: object) {
  const folder = openFolderOfTest()
  const receiver = await openForTest(startReceiver())
  const monitor = { webhook: `${receiver.origin}/hook` }
  await writeFile(
    join(folder, 'config.json'),
    JSON.stringify({ ...config, monitor, log: { level: 'debug' } }),
  )
  const program = endAfterTest(startProgram(['monitor', '--port', '0'], { cwd: folder }))
  let runs = 0
  const nextRun = () => {
    runs += 1
    return program.printed(new RegExp(`(?:"msg":"checked"[^]*){${runs}}`))
  }
  await nextRun()
  return {
    runAgain: async () => {
      program.signal('SIGHUP')
      await nextRun()
    },
    changes: () => receiver.calls.map(({ body }) => toChanges(body)),
  }
}

function toChanges(body: string): readonly string[] {
  const { changes } = JSON.parse(body) as { readonly changes: readonly Record<string, string>[] }
  return changes.map(({ rule, from, to }) => `${rule} ${from}>${to}`)
}

interface Fault {
  readonly http: string
  readonly location: string
}

const none: Fault = { http: '', location: '' }

const faults: readonly (readonly [what: string, fault: Fault])[] = [
  [
    'of whose answers some are 502',
    {
      // The number of the connection, so that each time the same ones fail.
      http: 'split_clients $connection $fails { 30% 1; * ""; }',
      location: 'if ($fails) { return 502; }',
    },
  ],
  [
    'with a limit on the rate of requests',
    {
      http: 'limit_req_zone $binary_remote_addr zone=one:1m rate=30r/m;',
      location: 'limit_req zone=one burst=8 nodelay;',
    },
  ],
]

const nginx = servers.find(({ name }) => name === 'nginx') as RealServer

describe.skipIf(skips(nginx))('a real nginx', () => {
  it.each(faults)(
    '%s is one failed rule and one call, and one more when it is whole again',
    async (_what, fault) => {
      const port = await freePort()
      const points = [`http://www.shop.localhost:${port}${PREFIX}`]
      const account = demoAccount({ cookie_transfer_urls: points })
      const sandbox = await openForTest(startSandbox({ account, rateLimit: 'off' }))
      const start = (given: Fault) =>
        openForTest(startServer(nginx, toText(port, new URL(sandbox.url).host, given), port))
      const whole = await start(none)
      const service = { url: sandbox.url }
      const { runAgain, changes } = await startMonitor({ service, widgetKey: 'demo-widget-key', points })
      expect(changes()).toEqual([])
      await whole.close()
      const faulty = await start(fault)
      for (const _run of [1, 2, 3]) await runAgain()
      expect(changes()).toEqual([['live/forwarded pass>fail']])
      await faulty.close()
      await start(none)
      await runAgain()
      expect(changes()).toEqual([['live/forwarded pass>fail'], ['live/forwarded fail>pass']])
    },
    60_000,
  )
})

it('a service that hangs longer than a question usually takes is reported', async () => {
  const service = await openForTest(startRawFrontEnd(() => {}))
  const proxy = await openForTest(startProxy(`http://127.0.0.1:${service.port}`))
  const points = [`http://www.shop.localhost:${proxy.port}${PREFIX}`]
  const timeouts = { headers: '11s' }
  await proxy.reload({ points, timeouts })
  const receiver = await openForTest(startReceiver())
  const monitor = { webhook: `${receiver.origin}/hook` }
  // The monitor can't reach it directly, which would only take longer.
  const url = `http://127.0.0.1:${await closedPort()}`
  const config = { service: { url }, widgetKey: WIDGET_KEY, points, timeouts, monitor }
  const io = fakeIo({ 'config.json': JSON.stringify(config) })
  expect(await run(['monitor', '--once'], io)).toBe(1)
  expect(receiver.calls.map(({ body }) => toChanges(body))).toEqual([['live/forwarded unknown>fail']])
  expect(receiver.calls[0]?.body).toContain('The service did not answer within timeouts.headers')
}, 60_000)

it('a site of which nothing can be found out is reported once, after three runs', async () => {
  const site = await openForTest(startReceiver((outgoing) => void outgoing.writeHead(200).end()))
  const { port } = new URL(site.origin)
  const { runAgain, changes } = await startMonitor({ points: [`http://www.shop.localhost:${port}${PREFIX}`] })
  await runAgain()
  expect(changes()).toEqual([])
  await runAgain()
  await runAgain()
  expect(changes()).toEqual([['monitor/inconclusive unknown>fail']])
})

function toText(port: number, service: string, { http, location }: Fault): string {
  return `worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  ${http}
  server {
    listen 127.0.0.1:${port};
    large_client_header_buffers 4 64k;
    client_max_body_size 0;
    location ^~ ${PREFIX} {
      ${location}
      proxy_pass http://${service}; proxy_redirect off; proxy_set_header Host ${service};
      proxy_set_header X-Widget-Key demo-widget-key;
      proxy_set_header X-Continuation-Origin http://www.shop.localhost:${port};
    }
  }
}
`
}
