import { createServer } from 'node:http'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { listen, options } from './http-proxy-options.mjs'

const middleware = createProxyMiddleware(options)
listen(createServer((request, response) => middleware(request, response, () => response.end())))
