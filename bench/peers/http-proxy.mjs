import { readFileSync } from 'node:fs'
import { Agent, createServer } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import httpProxy from 'http-proxy'

const [port, origin, ca] = process.argv.slice(2)
const agent = ca
  ? new TlsAgent({ keepAlive: true, maxSockets: 128, ca: readFileSync(ca) })
  : new Agent({ keepAlive: true, maxSockets: 128 })
const proxy = httpProxy.createProxyServer({
  target: origin,
  agent,
  changeOrigin: true,
  xfwd: true,
  headers: { 'X-Widget-Key': 'bench', 'X-Continuation-Origin': 'https://www.example.com' },
})
proxy.on('error', (_error, _request, response) => response.destroy())
createServer((request, response) => proxy.web(request, response)).listen(Number(port), '127.0.0.1', () =>
  console.log('listening'),
)
