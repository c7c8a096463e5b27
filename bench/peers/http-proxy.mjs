import { createServer } from 'node:http'
import httpProxy from 'http-proxy'
import { listen, options } from './http-proxy-options.mjs'

const proxy = httpProxy.createProxyServer(options)
proxy.on('error', (_error, _request, response) => response.destroy())
listen(createServer((request, response) => proxy.web(request, response)))
