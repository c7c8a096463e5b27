import { createServer } from 'node:http'
import { openPoints } from 'continuation-point/node'

const points = await openPoints('../config.json', { env: process.env })

const site = (_request, response) => response.end('the site')
const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
  points.listener(request, response, () => site(request, response))
}).listen(process.env.PORT ?? 3000)

process.once('SIGTERM', () => server.close(() => points.close()))
