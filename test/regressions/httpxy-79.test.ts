/*
 * httpxy and http-proxy-3: the socket of an upgrade had no error listener, so a client that reset the connection
 * crashed the process. Here an upgrade is an ordinary request, and a reset at any time ends that exchange only.
 */

import { expect } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { itOnStage } from '../support/stage.ts'

itOnStage.for([
  '',
  'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.exa',
  'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 9\r\n\r\nhalf',
  'CONNECT www.example.com:80 HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
  '\x00',
])('a reset behind %j', async (octets, { stage }) => {
  const client = await openClient(stage.proxy.port)
  if (octets !== '') await new Promise<void>((resolve) => client.socket.write(octets, () => resolve()))
  client.socket.resetAndDestroy()
  const played = await stage.play(
    'GET /service_cookie_transfer/after HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
  )
  expect(played.status).toBe(200)
})
