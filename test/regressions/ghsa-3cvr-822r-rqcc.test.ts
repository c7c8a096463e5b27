/*
 * undici (also GHSA-f772-66g8-q5h3, GHSA-5r9g-qh6m-jxff, CVE-2026-1527): CR and LF in a path, method or field value
 * allowed request splitting. Here a target with any byte below 0x21 is refused, as is a field with a byte that HTTP
 * forbids; percent-encoded CR and LF in the path are refused too.
 */

import { expect } from 'vitest'
import { itOnStage } from '../support/stage.ts'

itOnStage.for([
  'GET /service_cookie_transfer/\r\nX: y HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
  'GET /service_cookie_transfer/%0d%0aX:y HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
  'GET /service_cookie_transfer/%0AX:y HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
  'GET /service_cookie_transfer/\x0dX:y HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
  'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nX-A: 1\rX-B: 2\r\n\r\n',
  'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nContent-Type: a\nX-B: 2\r\n\r\n',
  'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\rX-B: 2\r\n\r\n',
])('%j', async (octets, { stage }) => {
  expect(await stage.play(octets)).toMatchObject({ status: 400, forwarded: [] })
})
