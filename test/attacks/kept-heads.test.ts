/*
 * Heads of the largest size that is allowed, on connections that stay open after the response: Node's parser keeps the
 * fields of heads that came in several reads.
 *
 * Contract, section 3: whatever clients send, memory is bounded.
 */

import { expect, it } from 'vitest'
import { POINT_HOST } from '../support/start-proxy.ts'
import { startBoth } from './serve.ts'

const LARGE = 'x'.repeat(60_000)

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
