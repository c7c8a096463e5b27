import type { Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { pointRequest } from '../support/served.ts'
import { openStage, statusOf } from '../support/stage.ts'
import { turns } from '../support/until.ts'
import { valuesOf } from '../support/wire.ts'
import { anyAnswer, type FuzzAnswer } from './answer-arbitrary.ts'
import { readAnswer } from './answer-model.ts'
import { effort, TIMEOUT_MS } from './effort.ts'
import { KEPT_ANSWERS } from './kept-rows.ts'
import { toPieces } from './pieces.ts'

let answer: FuzzAnswer
let visitors = 0

// One connection, so that whatever is left on it meets the next visitor.
const { proxy, close } = await openStage({ limits: { upstreamConnections: 1 } }, (request, socket) => {
  const [, visitor] = / \/service_cookie_transfer\/visitor([0-9]+) /.exec(request.startLine) ?? []
  if (visitor === undefined) void play(answer, socket)
  else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${visitor.length}\r\n\r\n${visitor}`)
})
afterAll(close)

// First: a property that runs out of time leaves a case running.
it.each(KEPT_ANSWERS)('kept: $name', ({ answer: kept }) => isTrue(kept))

it(
  'a response that looks complete is what the service sent, and the next visitor gets their own',
  () => fc.assert(fc.asyncProperty(anyAnswer(), isTrue), effort(300)),
  TIMEOUT_MS,
)

async function isTrue(next: FuzzAnswer): Promise<void> {
  answer = next
  const model = readAnswer(next.octets, next.ending)
  const client = await openClient(proxy.port)
  const visitor = await openClient(proxy.port)
  try {
    client.write(pointRequest('fuzzed'))
    const relayed = await client.response().catch(() => undefined)
    const isOwn = relayed !== undefined && valuesOf(relayed, 'proxy-status').length > 0
    if (relayed === undefined) expect(next.isValid).toBe('no')
    else if (isOwn) {
      expect(statusOf(relayed)).toBe(502)
      expect(next.isValid).toBe('no')
    } else {
      expect({
        status: statusOf(relayed),
        body: relayed.body,
        cookies: valuesOf(relayed, 'set-cookie'),
      }).toEqual(model)
    }
    visitors += 1
    visitor.write(pointRequest(`visitor${visitors}`))
    expect((await visitor.response()).body).toBe(String(visitors))
  } finally {
    client.close()
    visitor.close()
  }
}

async function play({ octets, ending, cuts }: FuzzAnswer, socket: Socket): Promise<void> {
  socket.setNoDelay(true)
  for (const piece of toPieces(octets, cuts)) {
    if (!socket.writable) return
    socket.write(Buffer.from(piece, 'latin1'))
    await turns(1)
  }
  if (ending === 'end') socket.end()
  if (ending === 'reset') socket.resetAndDestroy()
}
