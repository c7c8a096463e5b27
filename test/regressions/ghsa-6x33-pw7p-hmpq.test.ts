/*
 * http-proxy: headers were set on a request that had already been sent (with Expect, or when the socket came late),
 * which threw outside of any handler. Here the headers of a request are complete before it is handed over, however
 * long it waits for a connection.
 */

import { expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { openStage, statusOf } from '../support/stage.ts'

it('a dozen uploads that wait for few connections, each with Expect', async () => {
  const stage = await openStage({ limits: { upstreamConnections: 4 } })
  const clients = await Promise.all(Array.from({ length: 12 }, () => openClient(stage.proxy.port)))
  for (const client of clients) {
    client.write(
      `POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nExpect: 100-continue\r\nContent-Length: 70000\r\n\r\n${'x'.repeat(70_000)}`,
    )
  }
  const statuses = await Promise.all(clients.map(async (client) => statusOf(await client.response())))
  expect(statuses).toEqual(Array(12).fill(200))
  for (const client of clients) client.close()
  expect(stage.upstream.requests.map(({ body }) => body.length)).toEqual(Array(12).fill(70_000))
  await stage.close()
})
