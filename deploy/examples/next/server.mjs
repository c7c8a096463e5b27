import { createServer } from 'node:http'
import { openPoints } from 'continuation-point/node'
import next from 'next'

const points = await openPoints('../config.json', { env: process.env })
const dev = process.env.NODE_ENV !== 'production'
const app = next({ dev, httpServer: dev ? undefined : createServer() }) // only dev needs upgrades
await app.prepare()
const site = app.getRequestHandler()
const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
  points.listener(request, response, () => site(request, response))
}).listen(process.env.PORT ?? 3000)
process.once('SIGTERM', () => server.close(() => points.close().then(() => app.close())))
