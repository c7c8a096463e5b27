import { expect, it, onTestFinished, vi } from 'vitest'
import type { MetricsSnapshot } from '../../src/serve/metrics.ts'
import { LEVELS } from '../../src/serve/metrics.ts'
import { NO_LEVELS, NOTHING } from '../../src/serve/metrics-sum.ts'
import { BOUNDS_SECONDS, type Series } from '../../src/serve/series.ts'
import { WorkerCounters } from '../../src/serve/worker-counters.ts'

/** A histogram with this many observations in its first bucket. */
const series = (point: string, count: number, sumSeconds: number): Series => ({
  labels: { http_request_method: 'GET', point },
  buckets: BOUNDS_SECONDS.map((_, i) => (i === 0 ? count : 0)),
  sumSeconds,
  count,
})
/** All current values are `value`, but those that only the worst process counts for. */
const levels = (value: number, worst: number) => ({
  ...(Object.fromEntries(Object.keys(LEVELS).map((level) => [level, value])) as MetricsSnapshot['levels']),
  ...{ oldestWaitSeconds: worst, loopDelaySeconds: worst },
})
const use = (cpuSeconds: number, collections: number) => ({
  cpuSeconds,
  loopActiveSeconds: 2 * cpuSeconds,
  loopIdleSeconds: 4 * cpuSeconds,
  collections: [series('minor', collections, 0)],
})
const one: MetricsSnapshot = {
  levels: levels(2, 0.5),
  process: use(1, 2),
  server: [series('a', 3, 0.5), series('b', 1, 0.25)],
  client: [series('a', 3, 0.125)],
  refused: { 'not-found': 1 },
  points: { 'https://a.example/ 2xx': 1 },
  lostLogLines: 3,
}
const other: MetricsSnapshot = {
  levels: levels(1, 0.25),
  process: use(0.5, 1),
  server: [series('a', 4, 2)],
  client: [series('c', 1, 1)],
  refused: { 'not-found': 2, 'bad-message': 5 },
  points: { 'https://a.example/ 2xx': 2, 'https://a.example/ upstream': 4 },
  lostLogLines: 4,
}
const both: MetricsSnapshot = {
  levels: levels(3, 0.5),
  process: use(1.5, 3),
  server: [series('a', 7, 2.5), series('b', 1, 0.25)],
  client: [series('a', 3, 0.125), series('c', 1, 1)],
  refused: { 'not-found': 3, 'bad-message': 5 },
  points: { 'https://a.example/ 2xx': 3, 'https://a.example/ upstream': 4 },
  lostLogLines: 7,
}

/** Counters of workers by their names, with what each has told. */
function open(told: Readonly<Record<string, MetricsSnapshot>>) {
  const counters = new WorkerCounters<string>()
  for (const [worker, snapshot] of Object.entries(told)) {
    counters.add(worker)
    counters.receive(worker, snapshot)
  }
  return { counters, totals: () => counters.collect([], () => {}) }
}

it('the counters of all workers add up, and of one that ended only the current values are gone', async () => {
  const { counters, totals } = open({ one, other })
  expect(await totals()).toEqual({ sum: both, processes: 2 })
  expect(counters.remove('one')).toBe(2)
  expect(await totals()).toEqual({ sum: { ...both, levels: other.levels }, processes: 1 })
  counters.receive('one', one)
  counters.add('its successor')
  expect(await totals()).toEqual({ sum: { ...both, levels: other.levels }, processes: 2 })
  for (const worker of ['its successor', 'other']) counters.remove(worker)
  expect(await totals()).toEqual({ sum: { ...both, levels: NO_LEVELS }, processes: 0 })
  expect(counters.remove('one that never listened')).toBe(0)
})

it.each(['a', 'b', 'c'])('no bit of a sum falls when worker %s dies', async (dead) => {
  const sums = { a: 0.1, b: 0.2, c: 0.3000004 }
  const told = Object.entries(sums).map(([name, sum]) => [
    name,
    { ...NOTHING, process: use(sum, 1), server: [series('a', 1, sum)] },
  ])
  const { counters, totals } = open(Object.fromEntries(told))
  const { sum: before } = await totals()
  counters.remove(dead)
  expect(await totals()).toEqual({ sum: before, processes: 2 })
})

it.each<[what: string, replies: readonly string[], isOver: boolean]>([
  ['each has replied', ['b', 'a'], true],
  ['one has ended', ['a', 'end of b'], true],
  ['one is silent', ['a'], false],
  ['one replies twice', ['a', 'a'], false],
  ['one that was not asked replies', ['a', 'c'], false],
])('the answer of the workers is complete: %s', async (_what, replies, isOver) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { counters } = open({ a: one, b: other, c: NOTHING })
  const asked: string[] = []
  let state = 'pending'
  const collected = counters.collect(['a', 'b'], (worker) => asked.push(worker))
  const over = collected.then(() => {
    state = 'over'
  })
  for (const reply of replies) {
    if (reply === 'end of b') counters.remove('b')
    else counters.receive(reply, NOTHING)
  }
  await new Promise(setImmediate)
  expect([asked, state]).toEqual([['a', 'b'], isOver ? 'over' : 'pending'])
  vi.advanceTimersByTime(1_000)
  await over
})
