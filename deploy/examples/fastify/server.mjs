import { createServer } from 'node:http'
import { openPoints } from 'continuation-point/node'
import fastify from 'fastify'

const points = await openPoints('../config.json', { env: process.env })
const serverFactory = (site) =>
  createServer({ maxHeaderSize: 65_536 }, (request, response) =>
    points.listener(request, response, () => site(request, response)),
  )
const site = fastify({ serverFactory }).addHook('onClose', () => points.close())
site.all('/*', (request) => request.body?.greeting ?? 'the site')
await site.listen({ port: process.env.PORT ?? 3000 })
process.once('SIGTERM', () => site.close())
