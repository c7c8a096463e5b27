/*
 * @fastify/reply-from: a client could list fields in Connection that the proxy had added, and they were removed again.
 * Here the client's fields are stripped first and ours are set last, so Connection can't affect them.
 */

import { expect } from 'vitest'
import { forwarded, itOnStage } from '../support/stage.ts'

itOnStage.for(['X-Widget-Key', 'x-continuation-origin', 'Via, Host, X-Forwarded-For, X-Widget-Key'])(
  'Connection: %s',
  async (options, { stage }) => {
    const octets = `GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nConnection: close, ${options}\r\n\r\n`
    expect((await stage.play(octets)).forwarded).toEqual([forwarded(stage)])
  },
)
