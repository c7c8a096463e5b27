/*
 * h3: Transfer-Encoding was compared case-sensitively and as a whole, so another spelling hid a chunked body. Here the
 * only accepted coding is chunked, in any case; everything else is refused and the connection is closed.
 */

import { expect } from 'vitest'
import { forwarded, itOnStage } from '../support/stage.ts'

itOnStage.for(['CHUNKED', 'Chunked', '\t chunked'])('%j is chunked', async (coding, { stage }) => {
  const octets = `POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: ${coding}\r\n\r\n4\r\nbody\r\n0\r\n\r\n`
  expect((await stage.play(octets)).forwarded).toEqual([
    forwarded(stage, { method: 'POST', rest: 'transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n' }),
  ])
})

itOnStage.for([
  'xchunked',
  'chunked;',
  'chunked\r\nTransfer-Encoding: identity',
  'chunked\r\nTransfer-encoding: cow',
  'identity, chunked',
  'cow\r\nTransfer-Encoding: chunked',
  '\x0bchunked',
])('%j is refused', async (coding, { stage }) => {
  const octets = `POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`
  const { status, forwarded: seen, connection } = await stage.play(octets)
  expect([400, 501]).toContain(status)
  expect([seen, connection]).toEqual([[], 'closed'])
})
