import { describe, expect, test } from 'vitest'
import { type Budget, openBudget } from '../../src/api/budget.ts'
import { type ClientSettings, type Clock, createClient } from '../../src/api/index.ts'
import { parseRetryAfter, retryDelayMs } from '../../src/api/retry.ts'
import { type Fetch, systemClock } from '../../src/api/transport.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { openForTest } from '../support/open-for-test.ts'
import { type Respond, startStub } from './support/stub-service.ts'

const breakOff: Respond = (_arrival, outgoing) => void outgoing.destroy()

/** A clock that moves only while something sleeps. */
function startClock(): Clock & { readonly sleptMs: number[] } {
  let nowMs = 1_000_000
  const sleptMs: number[] = []
  return {
    sleptMs,
    nowMs: () => nowMs,
    sleep: async (ms) => {
      sleptMs.push(ms)
      nowMs += ms
    },
  }
}

async function start(answers: readonly Respond[], settings: Partial<ClientSettings> = {}) {
  const { baseUrl, arrivals } = await startStub(...answers)
  const clock = startClock()
  return { client: createClient({ baseUrl, apiKey: 'k', clock, ...settings }), clock, arrivals }
}

function spend(budget: Budget, nowMs: number): void {
  for (let index = 0; index < 100; index += 1) budget.take(nowMs)
}

test('the budget allows 100 at once, and the next when the first is a minute and two seconds old', () => {
  const budget = openBudget()
  for (let index = 0; index < 100; index += 1) {
    expect(budget.waitMs(1000 + index)).toBe(0)
    budget.take(1000 + index)
  }
  expect(budget.waitMs(2000)).toBe(61_000)
  budget.take(2000)
  expect([2000, 63_000, 63_001].map(budget.waitMs)).toEqual([61_001, 1, 0])
})

describe('the call after the hundredth', () => {
  const startTired = async (settings: Partial<ClientSettings> = {}) => {
    const budget = openBudget()
    const started = await start([{ body: [] }], { budget, ...settings })
    spend(budget, started.clock.nowMs())
    return { ...started, budget }
  }

  test('waits for its turn', async () => {
    const { client, clock, arrivals } = await startTired()
    await client.servers.list()
    expect([clock.sleptMs, arrivals.length]).toEqual([[62_000], 1])
  })

  test('or fails, if the caller chose that, and says when to retry', async () => {
    const { client, arrivals } = await startTired({ pacing: 'fail' })
    await expect(client.servers.list()).rejects.toMatchObject({ kind: 'pacing', retryAfterMs: 62_000 })
    expect(arrivals).toEqual([])
  })

  test('takes no turn and is not sent when its caller gives up while it waits', async () => {
    let abort = new AbortController()
    const clock = { ...startClock(), sleep: async () => abort.abort() }
    const { client, budget, arrivals } = await startTired({ clock })
    for (let index = 0; index < 100; index += 1) {
      abort = new AbortController()
      await expect(client.servers.list({ signal: abort.signal })).rejects.toMatchObject({ kind: 'aborted' })
    }
    expect([budget.waitMs(clock.nowMs() + 62_000), arrivals]).toEqual([0, []])
  })

  test('keeps waiting when others go first', async () => {
    const clock = startClock()
    const sleep: Clock['sleep'] = async (ms, signal) => {
      await clock.sleep(ms, signal)
      if (clock.sleptMs.length === 1) spend(tired.budget, clock.nowMs())
    }
    const tired = await startTired({ clock: { ...clock, sleep } })
    await tired.client.servers.list()
    expect([clock.sleptMs, tired.arrivals.length]).toEqual([[62_000, 62_000], 1])
  })
})

test('a service whose minute begins late, since the first call took its time to arrive, refuses none', async () => {
  const clock = startClock()
  const sandbox = await openForTest(startSandbox({ nowMs: clock.nowMs }))
  let calls = 0
  const fetch: Fetch = async (url, init) => {
    calls += 1
    // On its way to the service the first call needs an address, a connection and a handshake.
    if (calls === 1) await clock.sleep(20_000, undefined)
    return globalThis.fetch(url, init)
  }
  const client = createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: 'demo-api-key', clock, fetch })
  for (let index = 0; index < 101; index += 1) await client.options.change({})
  expect(calls).toBe(101)
})

test.each(['wait', 'fail'] as const)(
  'a call that is aborted before it begins takes no turn: %s',
  async (pacing) => {
    const { client, clock } = await start([{ body: [] }], { pacing })
    for (let index = 0; index < 100; index += 1) {
      const call = client.servers.list({ signal: AbortSignal.abort() })
      await expect(call).rejects.toMatchObject({ kind: 'aborted' })
    }
    expect([await client.servers.list(), clock.sleptMs]).toEqual([[], []])
  },
)

describe('a GET is repeated', () => {
  test.each([
    ['after 502', { status: 502 }],
    ['after 503', { status: 503 }],
    ['after 504', { status: 504 }],
    ['after 429', { status: 429 }],
    ['after a broken connection', breakOff],
  ] as const)('%s', async (_name, respond) => {
    const { client, clock, arrivals } = await start([respond, respond, { body: [] }])
    expect(await client.agents.list()).toEqual([])
    expect([arrivals.length, clock.sleptMs.length]).toEqual([3, 2])
  })

  test('of any method after 429, since it was not carried out, as late as Retry-After says', async () => {
    const busy = { status: 429, headers: { 'retry-after': '60' } }
    const { client, clock, arrivals } = await start([busy, { body: {} }])
    await client.options.change({})
    expect([arrivals.length, clock.sleptMs]).toEqual([2, [60_000]])
  })

  test('and no more often than allowed', async () => {
    const { client, arrivals } = await start([{ status: 503 }], { retries: 1 })
    await expect(client.agents.list()).rejects.toMatchObject({ status: 503 })
    expect(arrivals.length).toBe(2)
  })

  test('and each attempt counts', async () => {
    const budget = openBudget()
    const { client, clock } = await start([{ status: 503 }, { body: [] }], { budget })
    for (let index = 0; index < 98; index += 1) budget.take(clock.nowMs())
    await client.agents.list()
    expect(budget.waitMs(clock.nowMs())).toBeGreaterThan(0)
  })
})

test('a caller who gives up ends the pause before a retry', async () => {
  const abort = new AbortController()
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) => {
      const slept = systemClock.sleep(ms, signal)
      abort.abort()
      return slept
    },
  }
  const busy = { status: 503, headers: { 'retry-after': '60' } }
  const { client, arrivals } = await start([busy], { clock, signal: abort.signal })
  await expect(client.agents.list()).rejects.toMatchObject({ kind: 'aborted' })
  expect(arrivals.length).toBe(1)
})

describe('nothing else is sent twice', () => {
  test.each([
    ['POST', { status: 503 }],
    ['POST', { status: 429, headers: { 'retry-after': '61' } }],
    ['PUT', { status: 502 }],
    ['PATCH', { status: 504 }],
    ['DELETE', { status: 503 }],
    ['GET', { status: 500 }],
    ['GET', { status: 404 }],
    ['GET', { body: '<html>' }],
    ['GET', { status: 429, headers: { 'retry-after': '61' } }],
  ] as const)('%s %j', async (method, answer) => {
    const { client, arrivals } = await start([answer])
    const calls = {
      GET: () => client.agents.get(1),
      POST: () => client.sessions.end('1'),
      PUT: () => client.agents.update(1, {}),
      PATCH: () => client.options.change({}),
      DELETE: () => client.agents.delete(1),
    }
    await expect(calls[method]()).rejects.toMatchObject({ name: 'ApiError' })
    expect(arrivals.length).toBe(1)
  })
})

test.each([
  [0, 0, 250],
  [0, 1, 500],
  [1, 0, 500],
  [1, 1, 1000],
  [20, 1, 60_000],
])('the pause before a retry, number %i, chance %d: %i ms', (retriesBefore, random, ms) => {
  expect(retryDelayMs('GET', { kind: 'connection' }, retriesBefore, () => random)).toBe(ms)
})

describe('Retry-After', () => {
  const nowMs = Date.parse('2024-05-01T08:00:00Z')

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Wed, 01 May 2024 08:00:30 GMT', 30_000],
    ['Wed, 01 May 2024 07:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2024', 2_024_000],
    ['', undefined],
    [null, undefined],
  ])('%j', (value, ms) => {
    expect(parseRetryAfter(value, nowMs)).toBe(ms)
  })
})
