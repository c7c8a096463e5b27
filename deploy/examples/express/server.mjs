import { createServer } from 'node:http'
import { openPoints } from 'continuation-point/node'
import express from 'express'

const points = await openPoints('../config.json', { env: process.env })

const site = express()
site.use(points.listener) // before every body parser
site.use(express.json())
site.use((request, response) => response.send(request.body?.greeting ?? 'the site'))
const server = createServer({ maxHeaderSize: 65_536 }, site).listen(process.env.PORT ?? 3000)

process.once('SIGTERM', () => server.close(() => points.close()))
