import { readFileSync } from 'node:fs'
import { Agent, createServer } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { createProxyMiddleware } from 'http-proxy-middleware'

const [port, origin, ca] = process.argv.slice(2)
const agent = ca
  ? new TlsAgent({ keepAlive: true, maxSockets: 128, ca: readFileSync(ca) })
  : new Agent({ keepAlive: true, maxSockets: 128 })
const middleware = createProxyMiddleware({
  target: origin,
  agent,
  changeOrigin: true,
  xfwd: true,
  headers: { 'X-Widget-Key': 'bench', 'X-Continuation-Origin': 'https://www.example.com' },
})
createServer((request, response) => middleware(request, response, () => response.end())).listen(
  Number(port),
  '127.0.0.1',
  () => console.log('listening'),
)
