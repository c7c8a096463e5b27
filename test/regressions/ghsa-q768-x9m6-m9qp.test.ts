/*
 * undici's fetch (also GHSA-wqq4-5wpv-mx2g, GHSA-3787-6prv-h9w3): Cookie and other fields were sent to the target of a
 * redirect. Here redirects are never followed: a 3xx response is forwarded to the client unchanged.
 */

import { expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { answerWith, startUpstream } from '../support/recording-upstream.ts'
import { openStage, statusOf } from '../support/stage.ts'
import { onlyValue } from '../support/wire.ts'

it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
  const elsewhere = await startUpstream()
  const location = `${elsewhere.origin}/stolen`
  const stage = await openStage(
    {},
    answerWith(`HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
  )
  const client = await openClient(stage.proxy.port)
  client.write('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nCookie: sid=1\r\n\r\n')
  const answer = await client.response()
  client.close()
  expect([statusOf(answer), onlyValue(answer.fields, 'location')]).toEqual([status, location])
  expect([stage.upstream.requests.length, elsewhere.sockets.length]).toEqual([1, 0])
  await Promise.all([stage.close(), elsewhere.close()])
})
