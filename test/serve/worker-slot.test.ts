import { describe, expect, it } from 'vitest'
import type { Levels, MetricsSnapshot } from '../../src/serve/metrics.ts'
import { NO_LEVELS, NOTHING } from '../../src/serve/metrics-sum.ts'
import type { ProcessUse } from '../../src/serve/process-use.ts'
import type { Series } from '../../src/serve/series.ts'
import { addUp, emptySlot, occupy, vacate, type WorkerSlot } from '../../src/serve/worker-slot.ts'

const series = (point: string, buckets: readonly number[], sumSeconds: number): Series => ({
  labels: { http_request_method: 'GET', point },
  buckets,
  sumSeconds,
  count: buckets.reduce((sum, each) => sum + each, 0),
})
const levels = (
  activeRequests: number,
  requestLimit: number,
  shortOfMemory: number,
  waitingRequests: number,
  oldestWaitSeconds: number,
): Levels => ({
  activeRequests,
  requestLimit,
  shortOfMemory,
  waitingRequests,
  oldestWaitSeconds,
  residentBytes: 100 * activeRequests,
  heapBytes: 10 * activeRequests,
  openFiles: 20 * activeRequests,
  fileLimit: 30 * activeRequests,
  loopDelaySeconds: oldestWaitSeconds,
})
const use = (cpuSeconds: number, collections: readonly number[]): ProcessUse => ({
  cpuSeconds,
  loopActiveSeconds: 2 * cpuSeconds,
  loopIdleSeconds: 4 * cpuSeconds,
  collections: [{ labels: { v8js_gc_type: 'minor' }, buckets: collections, sumSeconds: 0, count: 2 }],
})
const nothing = NOTHING
const one: MetricsSnapshot = {
  levels: levels(2, 10, 1, 3, 0.5),
  process: use(1, [2, 0]),
  server: [series('a', [1, 2], 0.5), series('b', [1, 0], 0.25)],
  client: [series('a', [3, 0], 0.125)],
  refused: { 'not-found': 1 },
  points: { 'https://a.example/ 2xx': 1 },
  lostLogLines: 3,
}
const other: MetricsSnapshot = {
  levels: levels(1, 10, 0, 4, 0.25),
  process: use(0.5, [1, 1]),
  server: [series('a', [0, 4], 2)],
  client: [series('c', [1, 0], 1)],
  refused: { 'not-found': 2, 'bad-message': 5 },
  points: { 'https://a.example/ 2xx': 2, 'https://a.example/ upstream': 4 },
  lostLogLines: 4,
}
const both: MetricsSnapshot = {
  levels: levels(3, 20, 1, 7, 0.5),
  process: { ...use(1.5, [3, 1]), collections: [{ ...use(0, [3, 1]).collections[0], count: 4 } as Series] },
  server: [series('a', [1, 6], 2.5), series('b', [1, 0], 0.25)],
  client: [series('a', [3, 0], 0.125), series('c', [1, 0], 1)],
  refused: { 'not-found': 3, 'bad-message': 5 },
  points: { 'https://a.example/ 2xx': 3, 'https://a.example/ upstream': 4 },
  lostLogLines: 7,
}
const serving = (latest: MetricsSnapshot): WorkerSlot => ({ past: nothing, latest })
const dead = (latest: MetricsSnapshot): WorkerSlot => vacate(serving(latest))

describe('the snapshots of the slots', () => {
  it.each<[string, readonly WorkerSlot[], readonly MetricsSnapshot[]]>([
    ['no worker yet', [emptySlot(), emptySlot()], []],
    ['one that said nothing yet', [occupy(emptySlot())], [nothing]],
    ['one', [serving(one)], [one]],
    ['two: the first carries both', [serving(one), serving(other)], [both, nothing]],
    [
      'one of two died: only its requests in progress are gone',
      [dead(one), serving(other)],
      [{ ...both, levels: other.levels }],
    ],
    [
      'one died and is replaced',
      [occupy(dead(one)), serving(other)],
      [{ ...both, levels: other.levels }, nothing],
    ],
    ['one after another in one slot', [{ ...dead(one), latest: other }], [{ ...both, levels: other.levels }]],
    [
      'two after another died',
      [vacate({ ...dead(one), latest: other }), serving(nothing)],
      [{ ...both, levels: NO_LEVELS }],
    ],
    ['all died', [dead(one), dead(other)], []],
  ])('%s', (_, slots, expected) => {
    expect(addUp(slots)).toEqual(expected)
  })
})

it('a slot without a worker stays as it is', () => {
  expect(vacate(emptySlot())).toEqual(emptySlot())
  expect(vacate(dead(one))).toEqual(dead(one))
})

it.each([0, 1, 2])('no bit of a sum falls when the worker in slot %i dies', (index) => {
  const slots = [0.1, 0.2, 0.3].map((sum) => serving({ ...nothing, server: [series('a', [1], sum)] }))
  const before = addUp(slots)
  const after = addUp(slots.map((slot, i) => (i === index ? vacate(slot) : slot)))
  expect(after[0]?.server).toEqual(before[0]?.server)
})
