/*
 * After HEAD, or a body that has no meaning for the method, the connection to the service is not reused, since octets that
 * are left on it could be taken for the next response. Where a connection takes long to open, 20 KB a second of such
 * requests had all connections being opened for them: other visitors waited for seconds, or got 503.
 */

import { expect, it } from 'vitest'
import { holdSome } from '../support/recording-upstream.ts'
import { OK, request, startBoth } from './serve.ts'

const PLACES = 64
/** A sixteenth. */
const FOR_THEM = 4
const CROWD = 40

it.each([
  ['HEAD', request('HEAD', 'last')],
  ['GET with a body', request('GET', 'last', 'Content-Length: 1\r\n\r\nx')],
])('a crowd of %s gives way to a visitor', async (_what, octets) => {
  const { upstream, serve } = await startBoth(holdSome, {
    limits: { concurrentRequests: PLACES, upstreamConnections: 1 },
  })
  const held = await serve.ask(request('GET', 'hold'))
  await upstream.arrived(1)
  await Promise.all(Array.from({ length: CROWD }, () => serve.ask(octets)))
  await serve.underWay(1 + FOR_THEM)
  const visit = serve.visit(request('GET', 'small'))
  await serve.underWay(1 + FOR_THEM + 1)
  held.close()
  expect(await visit).toBe(OK)
  await serve.underWay(0)
  expect(upstream.requests.map(({ startLine }) => startLine.split(' ')[1]?.split('/').at(-1))).toEqual([
    'hold',
    'small',
    ...Array.from({ length: FOR_THEM }, () => 'last'),
  ])
})
