/*
 * @fastify/reply-from and @fastify/http-proxy (also GHSA-c4qr-gmr9-v23w): a crafted source replaced the base URL or
 * escaped from it. Here no URL is ever built from a request: the service's origin is fixed, and no path is outside a point's.
 */

import { expect } from 'vitest'
import { itOnStage } from '../support/stage.ts'

itOnStage.for([
  ['http://other.example/service_cookie_transfer/', 400],
  ['//other.example/service_cookie_transfer/', 404],
  ['/\\other.example/service_cookie_transfer/', 400],
  ['/service_cookie_transfer', 308],
  ['/service_cookie_transferx/', 404],
  ['/x/service_cookie_transfer/', 404],
] as const)('%s gets %i', async ([target, status], { stage }) => {
  const octets = `GET ${target} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`
  expect(await stage.play(octets)).toMatchObject({ status, forwarded: [] })
})
