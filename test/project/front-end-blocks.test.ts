import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort, servers, skips, startServer } from '../render/support/real-server.ts'
import { openClient } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { startProxy } from '../support/start-proxy.ts'
import { top } from './source-tree.ts'

const nginx = servers.filter(({ name }) => name === 'nginx')

describe.each(nginx)('the $name block of the README, unedited but for the port', (server) => {
  it.skipIf(skips(server))('routes both points to serve, and nothing else', async () => {
    const [, block = ''] = /```nginx\n([\s\S]*?)```/.exec(readFileSync(join(top, 'README.md'), 'utf8')) ?? []
    expect(block).toContain('proxy_pass http://127.0.0.1:8080;')
    const upstream = await startUpstream()
    const proxy = await startProxy(upstream.origin, {
      points: [
        'http://www.example.com/service_cookie_transfer/',
        'http://www.example.com/shop/service_cookie_transfer/',
      ],
    })
    const port = await freePort()
    const text = `events {}
http {
  access_log off;
  server {
    listen 127.0.0.1:${port};
    location / { return 200 "the site"; }
    ${block.replace('127.0.0.1:8080', `127.0.0.1:${proxy.port}`)}
  }
}
`
    const frontEnd = await startServer(server, text, port, {})
    const client = await openClient(port)
    const bodies: string[] = []
    for (const path of [
      '/service_cookie_transfer/a%2Fb?q',
      '/shop/service_cookie_transfer/',
      '/service_cookie_transfer_other',
      '/',
    ]) {
      client.write(`GET ${path} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`)
      bodies.push((await client.response()).body)
    }
    client.close()
    await frontEnd.close()
    await proxy.close()
    await upstream.close()
    expect(bodies).toEqual(['ok', 'ok', 'the site', 'the site'])
    expect(upstream.requests.map(({ startLine }) => startLine)).toEqual([
      'GET /service_cookie_transfer/a%2Fb?q HTTP/1.1',
      'GET /service_cookie_transfer/ HTTP/1.1',
    ])
    expect(upstream.requests[0]?.fields).toContainEqual(['X-Continuation-Origin', 'http://www.example.com'])
  })
})
