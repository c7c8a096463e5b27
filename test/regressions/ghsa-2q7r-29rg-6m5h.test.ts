/*
 * @fastify/reply-from: a path with percent-encoded dots passed the base check and was decoded afterwards. Here the
 * bytes that are checked are the bytes that are sent, and dot segments are recognised in every encoding.
 */

import { expect } from 'vitest'
import { itOnStage } from '../support/stage.ts'

itOnStage.for([
  '..%2fadmin',
  '%2e%2e/admin',
  '%2E./admin',
  'x/%2e%2e/%2e%2e/admin',
  '..%5cadmin',
  'x%2f..%2f..%2fadmin',
])('%s', async (rest, { stage }) => {
  const octets = `GET /service_cookie_transfer/${rest} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`
  expect(await stage.play(octets)).toMatchObject({ status: 400, code: 'bad-target', forwarded: [] })
})
