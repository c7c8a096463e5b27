// The bare floor: node:http and undici's dispatch, hop-by-hop fields dropped and ours set, and nothing else.
import { createServer } from 'node:http'
import { Pool } from 'undici'

const [port, origin, ca] = process.argv.slice(2)
const { readFileSync } = await import('node:fs')
const pool = new Pool(origin, {
  connections: 128,
  pipelining: 1,
  ...(ca ? { connect: { ca: readFileSync(ca) } } : {}),
})
const { host } = new URL(origin)
const hop = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'expect'])

createServer((incoming, outgoing) => {
  const raw = incoming.rawHeaders
  const headers = []
  let hasBody = false
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i].toLowerCase()
    if (name === 'content-length' || name === 'transfer-encoding') hasBody = true
    if (!hop.has(name)) headers.push(raw[i], raw[i + 1])
  }
  headers.push(
    'Host',
    host,
    'X-Widget-Key',
    'bench',
    'X-Continuation-Origin',
    'https://www.example.com',
    'X-Forwarded-For',
    '127.0.0.1',
  )
  let resume
  outgoing.on('drain', () => resume?.())
  pool.dispatch(
    { method: incoming.method, path: incoming.url, headers, body: hasBody ? incoming : null, reset: false },
    {
      onConnect() {},
      onHeaders(status, rawFields, resumeBody, reason) {
        resume = resumeBody
        const fields = []
        for (let i = 0; i < rawFields.length; i += 2) {
          const name = rawFields[i].toString('latin1')
          if (!hop.has(name.toLowerCase())) fields.push(name, rawFields[i + 1].toString('latin1'))
        }
        outgoing.writeHead(status, reason, fields)
        return true
      },
      // A client that has left must not hold its connection to the upstream for good.
      onData: (chunk) => outgoing.write(chunk) || outgoing.destroyed,
      onComplete: () => outgoing.end(),
      onError: () => outgoing.destroy(),
    },
  )
}).listen(Number(port), '127.0.0.1', () => console.log('listening'))
