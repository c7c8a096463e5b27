import { createServer } from 'node:http'
import { createProxyServer } from 'httpxy'
import { listen, options } from './http-proxy-options.mjs'

const proxy = createProxyServer(options)
listen(
  createServer((request, response) => {
    proxy.web(request, response).catch(() => response.destroy())
  }),
)
