import { readFileSync } from 'node:fs'
import proxy from '@fastify/http-proxy'
import fastify from 'fastify'

const [port, origin, ca] = process.argv.slice(2)
const app = fastify({ bodyLimit: 67_108_864 })
await app.register(proxy, {
  upstream: origin,
  disableRequestLogging: true,
  undici: {
    connections: 128,
    pipelining: 1,
    ...(ca ? { connect: { ca: readFileSync(ca), rejectUnauthorized: true } } : {}),
  },
  replyOptions: {
    rewriteRequestHeaders: (_request, headers) => ({
      ...headers,
      host: new URL(origin).host,
      'x-widget-key': 'bench',
      'x-continuation-origin': 'https://www.example.com',
      'x-forwarded-for': '127.0.0.1',
    }),
  },
})
await app.listen({ port: Number(port), host: '127.0.0.1' })
console.log('listening')
