/*
 * The service sends a body where none is allowed: after the head of a response to HEAD, or of a 204 or 304. It arrives
 * late, when the response is already considered complete, and looks like a response with a cookie.
 */

import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { OK, request, startBoth } from './serve.ts'

const POISON = 'HTTP/1.1 200 OK\r\nSet-Cookie: sid=of-the-first\r\nContent-Length: 6\r\n\r\npoison'
const LENGTH = `Content-Length: ${POISON.length}\r\n`

const heads = [
  ['HEAD', '200 OK', LENGTH],
  ['HEAD', '200 OK', 'Transfer-Encoding: chunked\r\n'],
  ['HEAD', '200 OK', ''],
  ['HEAD', '404 Not Found', LENGTH],
  ['GET', '204 No Content', LENGTH],
  ['GET', '204 No Content', 'Transfer-Encoding: chunked\r\n'],
  ['GET', '304 Not Modified', LENGTH],
  ['GET', '304 Not Modified', 'Transfer-Encoding: chunked\r\n'],
] as const

it.each(heads)(
  '%s answered by %s, %j, and a body when the next request is there',
  async (method, status, framing) => {
    const served: string[] = []
    let first: Socket | undefined
    const { serve } = await startBoth(({ startLine }, socket) => {
      const [, name = ''] = /cookie_transfer\/(\S*)/.exec(startLine) ?? []
      if (name === 'first') {
        first = socket
        socket.write(`HTTP/1.1 ${status}\r\n${framing}\r\n`)
        return
      }
      // The late body goes out first; on the same connection it is in front of this answer.
      if (first?.writable === true) first.write(POISON)
      served.push(name)
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${name.length}\r\n\r\n${name}`)
    })
    const visitor = await serve.ask(request(method, 'first'))
    // A 204 or 304 with a Content-Length may be refused; what matters is who gets the body.
    expect((await visitor.response(method)).octets).not.toContain('poison')
    for (const name of ['second', 'third', 'fourth']) {
      const answer = await (await serve.ask(request('GET', name))).response()
      expect(answer.octets).not.toMatch(/poison|of-the-first/)
      expect([answer.startLine, answer.body]).toEqual([OK, name])
    }
    // The one whose answer came first goes on as well.
    visitor.write(request('GET', 'again'))
    expect((await visitor.response()).body).toBe('again')
    expect(served).toEqual(['second', 'third', 'fourth', 'again'])
  },
)
