/*
 * As many uploads as there are leases, or more, each of which sends an octet now and then: often enough for every
 * deadline. All limits are at their defaults; only the wait for a connection is shorter, so that a failure shows sooner.
 */

import { expect, it } from 'vitest'
import type { RawClient } from '../support/raw-client.ts'
import type { RecordingUpstream } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'
import { OK, request, type Serve, startBoth } from './serve.ts'

const CONNECTIONS = 128
const UPLOAD_SHARE = 96
const BODY_OCTETS = 100
const CONCURRENT = 1_024
/** Of those in flight, and those that hold a lease or wait for one. */
const REQUEST_SHARE = 768
const LEASE_AND_QUEUE_SHARE = 480
const timeouts = { connect: '3s', headers: '3s' }

const complete = [
  ['GET', request('GET', 'complete')],
  ['HEAD', request('HEAD', 'complete')],
  ['POST', request('POST', 'complete', 'Content-Length: 5\r\n\r\nhello')],
  ['PUT', request('PUT', 'complete', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n')],
] as const

/** Complete requests of each kind, then many at once: all are answered. */
async function expectVisitors(serve: Serve, afterEach: () => void = () => {}): Promise<void> {
  for (const [method, octets] of complete) {
    const client = await serve.ask(octets)
    expect((await client.response(method)).startLine, method).toBe(OK)
    afterEach()
  }
  const burst = await Promise.all(Array.from({ length: 100 }, () => serve.visit(request('GET', 'complete'))))
  expect(new Set(burst)).toEqual(new Set([OK]))
}

it.each([CONNECTIONS, 5 * CONNECTIONS])(
  '%i slow uploads, with complete requests at the same time',
  async (count) => {
    const { upstream, serve, uploads } = await startUploads(count)
    // Another octet of each: the attack goes on.
    await expectVisitors(serve, () => {
      for (const upload of uploads) upload.write('x')
    })
    expect(uploadsAt(upstream)).toBeLessThanOrEqual(UPLOAD_SHARE)
  },
)

it.each([
  ['of which nothing came', '', REQUEST_SHARE],
  ['of which an octet came', 'x', LEASE_AND_QUEUE_SHARE],
])('1,060 announced uploads %s, with complete requests at the same time', async (_what, sent, share) => {
  const { serve } = await startBoth(undefined, { limits: { concurrentRequests: CONCURRENT } })
  const uploads = await askUploads(serve, 1_060, sent)
  const refused = () => uploads.filter((upload) => upload.pending().startsWith('HTTP/1.1 503 ')).length
  await until(async () => refused() === 1_060 - share)
  await expectVisitors(serve)
  expect(refused()).toBe(1_060 - share)
})

it('an upload that ends while it waits counts as complete from then on', async () => {
  const { serve } = await startUploads(CONNECTIONS)
  const client = await serve.ask(request('POST', 'late', 'Content-Length: 5\r\n\r\nhell'))
  await serve.underWay(CONNECTIONS + 1)
  client.write('o')
  expect((await client.response()).startLine).toBe(OK)
})

it('uploads take turns: waiting ones are sent as others end', async () => {
  const { upstream, uploads } = await startUploads(2 * CONNECTIONS)
  const answered = new Set<RawClient>()
  const answers = uploads.map((upload) =>
    upload.response().then(({ startLine }) => {
      answered.add(upload)
      return startLine
    }),
  )
  for (const upload of uploads) upload.write('x'.repeat(BODY_OCTETS - 1))
  expect(new Set(await Promise.all(answers))).toEqual(new Set([OK]))
  expect(answered.size).toBe(2 * CONNECTIONS)
  expect(upstream.requests).toHaveLength(2 * CONNECTIONS)
})

/** Starts uploads, and waits until they hold as many connections as they can. */
async function startUploads(count: number) {
  const { upstream, serve } = await startBoth(undefined, { timeouts })
  const uploads = await askUploads(serve, count, 'x')
  await serve.underWay(Math.min(count, LEASE_AND_QUEUE_SHARE))
  return { upstream, serve, uploads }
}

function askUploads(serve: Serve, count: number, sent: string): Promise<RawClient[]> {
  const octets = request('POST', 'slow', `Content-Length: ${BODY_OCTETS}\r\n\r\n${sent}`)
  return Promise.all(Array.from({ length: count }, () => serve.ask(octets)))
}

/** Uploads that the service has begun to read and that have not ended. */
function uploadsAt({ octets }: RecordingUpstream): number {
  return octets.filter((text) => {
    const last = text.slice(text.lastIndexOf('POST /service_cookie_transfer/'))
    const body = last.split('\r\n\r\n')[1]
    return (
      last.startsWith('POST /service_cookie_transfer/slow') && body !== undefined && body.length < BODY_OCTETS
    )
  }).length
}
