/*
 * More requests than the service answers in time: who would wait for a connection for more than twice the longest wait,
 * at the pace of the last round of connections, is refused at once.
 */

import { expect, it } from 'vitest'
import { answerOk } from '../support/recording-upstream.ts'
import { valuesOf } from '../support/wire.ts'
import { get, openScene } from './scene.ts'

const CONNECTIONS = 2
/** The longest wait is the sum. */
const timeouts = { connect: '100ms', headers: '10s' }
const AT_ONCE = 400

it('a queue that is too long for the service’s pace refuses further requests with 503, until it is short again', async () => {
  // Six answers at the pace of one in 100 ms, then none for now: some 390 wait, for which that pace takes 39 s.
  let answered = 0
  const held: (() => void)[] = []
  const { upstream, proxy, ask } = await openScene(
    (request, socket) => {
      answered += 1
      const answer = () => answerOk(request, socket)
      if (answered <= 6) setTimeout(answer, 200)
      else held.push(answer)
    },
    { config: { limits: { upstreamConnections: CONNECTIONS }, timeouts } },
  )
  const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(get())))
  await upstream.arrived(6 + CONNECTIONS)
  // On a busy machine some come late: each waits, has its connection, or was refused or served.
  const arrived = () => proxy.proxy.queue().waiting + CONNECTIONS + proxy.records.length
  while (arrived() < AT_ONCE) await new Promise((resolve) => setImmediate(resolve))
  expect(proxy.proxy.queue().oldestWaitMs).toBeGreaterThan(0)

  const late = await ask(get())
  const refused = await late.response()
  expect(refused.startLine).toBe('HTTP/1.1 503 Service Unavailable')
  expect(valuesOf(refused, 'retry-after')).toEqual(['10'])
  expect(JSON.parse(refused.body)).toMatchObject({ code: 'hopeless-wait' })

  for (const client of clients) client.socket.resetAndDestroy()
  while (proxy.proxy.traffic.inFlight > 0) await new Promise((resolve) => setImmediate(resolve))
  expect(proxy.proxy.queue()).toEqual({ waiting: 0, oldestWaitMs: 0 })
  late.write(get())
  await upstream.arrived(6 + CONNECTIONS + 1)
  for (const answer of held) answer()
  expect((await late.response()).startLine).toBe('HTTP/1.1 200 OK')
})
