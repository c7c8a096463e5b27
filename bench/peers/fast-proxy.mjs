import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import fastProxy from 'fast-proxy'

const [port, origin, ca] = process.argv.slice(2)
const { proxy } = fastProxy({
  base: origin,
  undici: { connections: 128, pipelining: 1, ...(ca ? { connect: { ca: readFileSync(ca) } } : {}) },
})
createServer((request, response) => {
  proxy(request, response, request.url, {
    rewriteRequestHeaders: (_request, headers) => ({
      ...headers,
      host: new URL(origin).host,
      'x-widget-key': 'bench',
      'x-continuation-origin': 'https://www.example.com',
    }),
  })
}).listen(Number(port), '127.0.0.1', () => console.log('listening'))
