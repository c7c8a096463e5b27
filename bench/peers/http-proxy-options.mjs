import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'

const [port, origin, ca] = process.argv.slice(2)
const pool = { keepAlive: true, maxSockets: 128 }

/** What http-proxy and those made after it take. */
export const options = {
  target: origin,
  agent: ca ? new TlsAgent({ ...pool, ca: readFileSync(ca) }) : new Agent(pool),
  changeOrigin: true,
  xfwd: true,
  headers: { 'X-Widget-Key': 'bench', 'X-Continuation-Origin': 'https://www.example.com' },
}

export function listen(server) {
  server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
}
