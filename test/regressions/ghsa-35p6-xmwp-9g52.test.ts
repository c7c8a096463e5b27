/*
 * undici before 7.28: an unrequested response, left on an idle connection, was delivered to the next
 * request. All visitors share our pool, so the minimum version of undici excludes the bug, and this test shows that no
 * visitor gets another's response and cookies.
 */

import { expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { answerOk } from '../support/recording-upstream.ts'
import { openStage, statusOf } from '../support/stage.ts'

const POISON = 'HTTP/1.1 200 OK\r\nSet-Cookie: sid=of-the-first\r\nContent-Length: 6\r\n\r\npoison'

it.each([
  ['in the same packet as the response', 'at once'],
  ['when the connection is idle', 'later'],
] as const)('a second response %s', async (_name, when) => {
  const stage = await openStage({}, (request, socket) => {
    if (when === 'at once' && request.startLine.includes('/first')) {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok${POISON}`)
    } else answerOk(request, socket)
  })
  const ask = async (path: string) => {
    const client = await openClient(stage.proxy.port)
    client.write(`GET /service_cookie_transfer/${path} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`)
    const answer = await client.response()
    client.close()
    return answer
  }
  expect((await ask('first')).body).toBe('ok')
  if (when === 'later') stage.upstream.sockets[0]?.write(POISON)
  for (const visitor of ['second', 'third']) {
    const answer = await ask(visitor)
    expect(answer.octets).not.toMatch(/poison|of-the-first/)
    expect([200, 502]).toContain(statusOf(answer))
  }
  await stage.close()
})
