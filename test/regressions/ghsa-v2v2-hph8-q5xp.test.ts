/*
 * @fastify/reply-from: bodies were parsed and serialised again, so the proxy could interpret an unusual Content-Type
 * differently from the service. Here bodies are never parsed: body and Content-Type are forwarded unchanged.
 */

import { expect } from 'vitest'
import { forwarded, itOnStage } from '../support/stage.ts'

itOnStage.for([
  'application/json ; charset',
  'application/json;;',
  'application/x-www-form-urlencoded, application/json',
  'multipart/form-data; boundary="a\\"b"',
  '',
])('Content-Type: %s', async (type, { stage }) => {
  const lines = `Content-Type: ${type}\r\n`
  const rest = 'Content-Length: 18\r\n\r\n{"a":1,\x00 "a" : 2 }'
  const octets = `POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n${lines}${rest}`
  expect((await stage.play(octets)).forwarded).toEqual([
    forwarded(stage, { method: 'POST', lines, rest: rest.replace('Content-Length', 'content-length') }),
  ])
})
