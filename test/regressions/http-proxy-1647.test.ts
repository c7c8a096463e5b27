/*
 * http-proxy: a Trailer field on a request that isn't chunked was passed to node:http, which threw and crashed the
 * process. Here Trailer is treated as a hop-by-hop field, and trailers are dropped.
 */

import { expect } from 'vitest'
import { forwarded, itOnStage } from '../support/stage.ts'

itOnStage.for([
  ['GET', '\r\n', '\r\n'],
  ['POST', 'Content-Length: 2\r\n\r\nab', 'content-length: 2\r\n\r\nab'],
  [
    'POST',
    'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-A: 1\r\n\r\n',
    'transfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
  ],
] as const)('%s %j', async ([method, rest, forwardedRest], { stage }) => {
  const octets = `${method} /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nTrailer: X-A, Content-Length\r\n${rest}`
  expect(await stage.play(octets)).toEqual({
    status: 200,
    forwarded: [forwarded(stage, { method, rest: forwardedRest })],
    connection: 'open',
  })
})
