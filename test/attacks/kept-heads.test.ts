/*
 * Heads of the largest size that is allowed, on connections that stay open after the response: while the rest of a refused
 * upload is awaited, or between requests, where Node's parser keeps the fields of heads that came in several reads.
 *
 * Contract, section 3: whatever clients send, memory is bounded.
 */

import { expect, it } from 'vitest'
import { POINT_HOST } from '../support/start-proxy.ts'
import { request, startBoth } from './serve.ts'

const KIBIBYTE = 1_024
const LARGE = 'x'.repeat(60_000)
const UPLOAD = 'Content-Length: 100000\r\n\r\nx'

it.each([
  ['at no point', `POST /${LARGE} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n${UPLOAD}`, '404'],
  ['of a loop', request('POST', '', `Via: 1.1 continuation-point\r\nX-Large: ${LARGE}\r\n${UPLOAD}`), '508'],
])('an upload that was refused keeps nothing of its head: %s', async (_where, octets, status) => {
  const uploads = 60
  const { serve } = await startBoth()
  const before = await serve.heapBytes()
  const clients = await Promise.all(Array.from({ length: uploads }, () => serve.ask(octets)))
  for (const client of clients) expect((await client.response()).startLine).toContain(status)
  expect(((await serve.heapBytes()) - before) / uploads / KIBIBYTE).toBeLessThan(40)
})

it('a connection is closed after a few large heads in several reads', async () => {
  const { serve } = await startBoth()
  const client = await serve.client()
  let requests = 0
  for (let isLast = false; !isLast; requests += 1) {
    const sent = client.socket.bytesWritten
    client.write(`GET /service_cookie_transfer/ HTTP/1.1\r\nHost: ${POINT_HOST}\r\nX-Large: ${LARGE}`)
    await expect.poll(() => client.socket.bytesWritten).toBeGreaterThan(sent)
    // Answered on a later connection, so the first part has been read.
    await serve.visit()
    client.write('\r\n\r\n')
    isLast = /^connection: close/im.test((await client.response()).octets)
    expect(requests).toBeLessThan(10)
  }
  await client.ended()
})
