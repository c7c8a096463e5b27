import { createServer } from 'node:http'
import connect from 'connect'
import { openPoints } from 'continuation-point/node'

const points = await openPoints('../config.json', { env: process.env })

const site = connect()
site.use(points.listener) // before every body parser
site.use((_request, response) => response.end('the site'))
const server = createServer({ maxHeaderSize: 65_536 }, site).listen(process.env.PORT ?? 3000)

process.once('SIGTERM', () => server.close(() => points.close()))
