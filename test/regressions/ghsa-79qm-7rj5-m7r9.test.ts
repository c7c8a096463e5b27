/*
 * hono's proxy helper: fields that the service listed in Connection were forwarded to the client. Here both directions
 * use the same list of hop-by-hop fields and the same parser for Connection.
 */

import { expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { answerWith } from '../support/recording-upstream.ts'
import { openStage } from '../support/stage.ts'
import { valuesOf } from '../support/wire.ts'

it('fields that the service names in Connection are not passed on', async () => {
  const stage = await openStage(
    {},
    answerWith(
      'HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nConnection: x-other\r\nX-Hop: 1\r\nx-OTHER: 2\r\nKeep-Alive: timeout=9\r\nProxy-Authenticate: Basic\r\nX-Kept: 3\r\nContent-Length: 0\r\n\r\n',
    ),
  )
  const client = await openClient(stage.proxy.port)
  client.write('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
  const answer = await client.response()
  client.close()
  const seen = ['x-hop', 'x-other', 'proxy-authenticate', 'x-kept'].map((name) => valuesOf(answer, name))
  expect(seen).toEqual([[], [], [], ['3']])
  expect(answer.octets).not.toContain('timeout=9')
  await stage.close()
})
