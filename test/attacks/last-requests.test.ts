/*
 * After HEAD, a body that has no meaning for the method or that the service refuses, and a 304 with Content-Length, the
 * connection to the service is not reused, since octets that are left on it could be taken for the next request or response.
 * Where a connection takes long to open, 20 KB a second of these had all connections being opened for them: visitors waited
 * for seconds, or got 503.
 */

import { expect, it } from 'vitest'
import { holdSome } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'
import { OK, request, startBoth } from './serve.ts'

const PLACES = 16
const CROWD = 40

it.each([
  ['HEAD', request('HEAD', 'crowd')],
  ['GET with a body', request('GET', 'crowd', 'Content-Length: 1\r\n\r\nx')],
  ['GET with a condition', request('GET', 'crowd', 'If-None-Match: "1"\r\n\r\n')],
  ['POST', request('POST', 'crowd', 'Content-Length: 1\r\n\r\nx')],
])('visitors take turns with a crowd of %s', async (_what, octets) => {
  const { upstream, serve } = await startBoth(holdSome, {
    limits: { concurrentRequests: PLACES, upstreamConnections: 1 },
  })
  const held = await serve.ask(request('GET', 'hold'))
  await upstream.arrived(1)
  for (let i = 0; i < CROWD; i += 1) await serve.ask(octets)
  await serve.underWay(PLACES)
  const visits = ['a', 'b'].map((path) => serve.visit(request('GET', path)))
  const refused = CROWD - (PLACES - 1) + visits.length
  await until(async () => (await serve.admin('/metrics')).includes(`reason="overloaded"} ${refused}\n`))
  held.close()
  expect(await Promise.all(visits)).toEqual([OK, OK])
  await serve.underWay(0)
  const paths = upstream.requests.map(({ startLine }) => startLine.split(/[ /]/)[3])
  expect(paths.slice(0, 5)).toEqual(['hold', 'crowd', 'a', 'crowd', 'b'])
  expect(new Set(paths.slice(5))).toEqual(new Set(['crowd']))
})

it('a visitor gets the place of one of the crowd where more uploads wait than the crowd has', async () => {
  const { upstream, serve } = await startBoth(holdSome, {
    limits: { concurrentRequests: PLACES, upstreamConnections: 2 },
  })
  const held = await serve.ask(request('GET', 'hold'))
  await upstream.arrived(1)
  for (let i = 0; i < 10; i += 1) await serve.ask(request('POST', 'slow', 'Content-Length: 2\r\n\r\nx'))
  for (let i = 0; i < PLACES; i += 1) await serve.ask(request('HEAD', 'crowd'))
  await serve.underWay(PLACES)
  const visit = serve.visit(request('GET', 'a'))
  await until(async () =>
    (await serve.admin('/metrics')).includes(`reason="overloaded"} ${PLACES - 5 + 1}\n`),
  )
  held.close()
  expect(await visit).toBe(OK)
})
