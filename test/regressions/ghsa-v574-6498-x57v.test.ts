/*
 * @fastify/reply-from: parsed URLs were cached under base and source joined, so two different pairs could share a key
 * and a request could reach the wrong target. Here nothing is cached: points are looked up by their whole path.
 */

import { expect, it } from 'vitest'
import { forwarded, openStage } from '../support/stage.ts'

it('points whose paths join to the same text stay apart', async () => {
  const stage = await openStage({
    points: [
      'http://www.example.com/service_cookie_transfer/',
      'http://www.example.com/a/service_cookie_transfer/',
      'http://www.example.com/a/b/service_cookie_transfer/',
      'http://www.example.com.b/service_cookie_transfer/',
    ],
  })
  const ask = async (host: string, path: string) =>
    (await stage.play(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).forwarded[0]
  // Twice, since the second request was the one that got the wrong cache entry.
  for (const _round of [1, 2]) {
    expect(await ask('www.example.com', '/a/service_cookie_transfer/b/x')).toBe(
      forwarded(stage, { path: '/service_cookie_transfer/b/x' }),
    )
    expect(await ask('www.example.com', '/a/b/service_cookie_transfer/x')).toBe(
      forwarded(stage, { path: '/service_cookie_transfer/x' }),
    )
    expect(await ask('www.example.com.b', '/service_cookie_transfer/x')).toBe(
      forwarded(stage, { path: '/service_cookie_transfer/x', origin: 'http://www.example.com.b' }),
    )
  }
  await stage.close()
})
