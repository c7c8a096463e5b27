/*
 * Everything that could make a proxy lose count of its connections: the service refuses and comes back, resets, stalls;
 * clients give up; the config is reloaded while requests are in flight.
 */

import { expect, it } from 'vitest'
import { freePort } from '../front-ends/support/real-server.ts'
import type { RawClient } from '../support/raw-client.ts'
import { type LimitedService, startLimitedService } from './limited-service.ts'
import { OK, request, type Serve, startServe } from './serve.ts'

const LIMIT = 4
/** As many as have a lease or wait: others would get 503, and ask again and again. */
const CLIENTS = 5 * LIMIT
const limits = { upstreamConnections: LIMIT }

it('the service refuses connections, then comes up', async () => {
  const port = await freePort()
  const serve = await startServe(`http://127.0.0.1:${port}`, { limits })
  let refused = 0
  let service: LimitedService | undefined
  await load(serve, async (outcome) => {
    if (outcome === '502') refused += 1
    if (refused >= 5 * CLIENTS) service ??= await startLimitedService(port)
    return (service?.answered() ?? 0) < 10 * CLIENTS
  })
  expectLimit(service)
})

it('the service goes down and up again, with requests waiting each time', async () => {
  const port = await freePort()
  let service = await startLimitedService(port)
  const serve = await startServe(`http://127.0.0.1:${port}`, { limits })
  for (let round = 0; round < 5; round += 1) {
    let refused = 0
    await service.stop()
    await load(serve, async (outcome) => {
      if (outcome === '502') refused += 1
      return refused < 2 * CLIENTS
    })
    service = await startLimitedService(port)
    await load(serve, async () => service.answered() < 2 * CLIENTS)
    expectLimit(service)
  }
})

it.each([
  ['resets', 'reset'],
  ['answers that are not HTTP', 'garbage'],
  ['answers that end early', 'truncate'],
  ['answers that close', 'close'],
  ['heads that never come', 'stall'],
  ['clients that give up', 'abort'],
] as const)('%s among ordinary requests', async (_name, fault) => {
  const service = await startLimitedService()
  const serve = await startServe(service.origin, { limits, timeouts: { headers: '100ms' } })
  await load(serve, async () => service.answered() < 4 * CLIENTS, ['ok', 'ok', fault])
  expectLimit(service)
})

it.each([
  ['the same config', {}],
  ['another config', { limits: { ...limits, bodyBytes: 1_000 }, timeouts: { connect: '4s' } }],
])('reloads with %s while every connection is held and more requests wait', async (_name, changes) => {
  const service = await startLimitedService()
  const serve = await startServe(service.origin, { limits })
  const answers: Promise<{ readonly startLine: string }>[] = []
  const askHeld = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const client = await serve.ask(request('GET', 'hold'))
      answers.push(client.response())
    }
    await serve.underWay(answers.length)
  }
  service.hold()
  await askHeld(2 * LIMIT)
  for (let round = 0; round < 3; round += 1) {
    await serve.reload(changes)
    await askHeld(LIMIT)
    service.look()
  }
  service.release()
  expect(new Set((await Promise.all(answers)).map(({ startLine }) => startLine))).toEqual(new Set([OK]))
  expectLimit(service)
})

/** Sends requests from many clients at once, each one after the other, until `goesOn` returns false. */
async function load(
  serve: Serve,
  goesOn: (outcome: string) => Promise<boolean>,
  paths: readonly string[] = ['ok'],
): Promise<void> {
  let isOver = false
  let asked = 0
  const run = async () => {
    let client = await serve.client()
    while (!isOver) {
      const path = paths[asked % paths.length] ?? 'ok'
      asked += 1
      client.write(request('GET', path))
      const outcome = path === 'abort' ? await giveUp(serve, client) : await statusOf(client.response())
      if (outcome === 'cut off') {
        client.close()
        client = await serve.client()
      }
      if (!(await goesOn(outcome))) isOver = true
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, run))
}

async function statusOf(answer: Promise<{ readonly startLine: string }>): Promise<string> {
  try {
    return (await answer).startLine.split(' ')[1] ?? ''
  } catch {
    return 'cut off'
  }
}

/** Gives the program a few turns of its event loop before the client leaves. */
async function giveUp(serve: Serve, client: RawClient): Promise<string> {
  const bystander = await serve.ask('GET /elsewhere HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
  await bystander.response()
  bystander.close()
  client.close()
  return 'cut off'
}

function expectLimit(service: LimitedService | undefined): void {
  expect(service?.mostConnections()).toBeGreaterThan(0)
  expect(service?.mostConnections()).toBeLessThanOrEqual(LIMIT)
  expect(service?.overlaps()).toBe(0)
}
