/*
 * http-proxy: clients that disconnected went unnoticed (`aborted` was no longer emitted), and requests to the service
 * leaked. Here the response's `close` event reports it, and the connection to the service is closed too.
 */

import { expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { openStage } from '../support/stage.ts'

it.each(['end', 'reset'] as const)('a client that leaves by %s while it waits', async (way) => {
  const stage = await openStage({}, () => {})
  const client = await openClient(stage.proxy.port)
  client.write('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
  await stage.upstream.arrived(1)
  if (way === 'end') client.socket.end()
  else client.socket.resetAndDestroy()
  await Promise.all([stage.upstream.closed(0), stage.proxy.recorded(1)])
  expect(stage.proxy.records).toMatchObject([{ outcome: 'client-abort', status: undefined }])
  expect(stage.proxy.proxy.traffic.inFlight).toBe(0)
  client.close()
  await stage.close()
})
