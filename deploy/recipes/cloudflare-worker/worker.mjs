// The points as a Cloudflare Worker, without serve: `npm install continuation-point`, `npx wrangler secret put WIDGET_KEY`,
// `npx wrangler deploy`. Lines marked CHANGE are of the example.
import { createEdgeApp } from 'continuation-point/edge'

const config = {
  service: { url: 'https://cobrowse.example.net' }, // CHANGE
  widgetKey: 'env:WIDGET_KEY',
  points: [
    'https://www.example.com/service_cookie_transfer/', // CHANGE: the routes of wrangler.jsonc
    'https://www.example.com/shop/service_cookie_transfer/', // CHANGE
  ],
}

let app
export default {
  async fetch(request, env) {
    app ??= createEdgeApp(config, { env, clientAddress: ({ req }) => req.header('CF-Connecting-IP') })
    return (await app).fetch(request)
  },
}
