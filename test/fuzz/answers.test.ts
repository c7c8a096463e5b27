import type { Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { POINT_HOST, startProxy } from '../support/start-proxy.ts'
import { valuesOf } from '../support/wire.ts'
import { anyAnswer, type FuzzAnswer } from './answer-arbitrary.ts'
import { readAnswer } from './answer-model.ts'
import { effort, TIMEOUT_MS } from './effort.ts'
import { KEPT_ANSWERS } from './kept-rows.ts'

let answer: FuzzAnswer
let visitors = 0

const upstream = await startUpstream((request, socket) => {
  const [, visitor] = / \/service_cookie_transfer\/visitor([0-9]+) /.exec(request.startLine) ?? []
  if (visitor === undefined) void play(answer, socket)
  else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${visitor.length}\r\n\r\n${visitor}`)
})
// One connection, so that whatever is left on it meets the next visitor.
const proxy = await startProxy(upstream.origin, { limits: { upstreamConnections: 1 } })
afterAll(async () => {
  await proxy.close()
  await upstream.close()
})

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
    client.write(get('fuzzed'))
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
    visitor.write(get(`visitor${visitors}`))
    expect((await visitor.response()).body).toBe(String(visitors))
  } finally {
    client.close()
    visitor.close()
  }
}

async function play({ octets, ending, cuts }: FuzzAnswer, socket: Socket): Promise<void> {
  socket.setNoDelay(true)
  const places = [
    0,
    ...cuts.map((share) => Math.floor(share * octets.length)).sort((a, b) => a - b),
    octets.length,
  ]
  for (let i = 1; i < places.length; i += 1) {
    if (!socket.writable) return
    socket.write(Buffer.from(octets.slice(places[i - 1], places[i]), 'latin1'))
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (ending === 'end') socket.end()
  if (ending === 'reset') socket.resetAndDestroy()
}

function get(word: string): string {
  return `GET /service_cookie_transfer/${word} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n\r\n`
}
