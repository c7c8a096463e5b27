import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { proxy } from 'hono/proxy'

const [port, origin] = process.argv.slice(2)
const app = new Hono()
app.all('/service_cookie_transfer/*', (c) => {
  const url = new URL(c.req.url)
  return proxy(`${origin}${url.pathname}${url.search}`, {
    ...c.req,
    redirect: 'manual',
    headers: {
      ...c.req.header(),
      host: undefined,
      'X-Widget-Key': 'bench',
      'X-Continuation-Origin': 'https://www.example.com',
      'X-Forwarded-For': '127.0.0.1',
    },
  })
})
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () => console.log('listening'))
