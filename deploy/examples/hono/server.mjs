import { serve } from '@hono/node-server'
import { openPoints } from 'continuation-point/hono'
import { Hono } from 'hono'

const points = await openPoints('../config.json', { env: process.env })

const site = new Hono()
site.route('/', points.app) // before whatever reads bodies
site.all('*', (context) => context.text('the site'))
const serverOptions = { maxHeaderSize: 65_536 } // for visitors with many cookies
const server = serve({ fetch: site.fetch, port: process.env.PORT ?? 3000, serverOptions })

process.once('SIGTERM', () => server.close(() => points.close()))
