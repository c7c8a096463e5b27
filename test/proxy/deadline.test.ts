import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Deadline } from '../../src/proxy/deadline.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it.each<readonly [what: string, meanwhile: (deadline: Deadline) => void, passesAtMs: number | undefined]>([
  ['passes after its time', () => {}, 100],
  ['begins again with progress', at(60, (deadline) => deadline.extend()), 160],
  ['begins again with the same time', at(60, (deadline) => deadline.set(100)), 160],
  ['moves back', at(60, (deadline) => deadline.set(500)), 560],
  ['moves forward', at(10, (deadline) => deadline.set(20)), 30],
  ['never passes once cleared', at(60, (deadline) => deadline.clear()), undefined],
  [
    'stays cleared when progress comes late',
    at(60, (deadline) => {
      deadline.clear()
      deadline.extend()
    }),
    undefined,
  ],
  [
    'does not pass if what has arrived by then is progress',
    (deadline) => {
      // As if it were read once the timers that are due have run.
      setTimeout(() => deadline.extend(), 100)
    },
    200,
  ],
])('a deadline %s', (_what, meanwhile, passesAtMs) => {
  const passedAtMs: number[] = []
  const startedAtMs = performance.now()
  const deadline = new Deadline(() => passedAtMs.push(performance.now() - startedAtMs))
  deadline.set(100)
  meanwhile(deadline)
  vi.advanceTimersByTime(2_000)
  // A fake `setImmediate` takes a millisecond.
  expect(passedAtMs).toEqual(passesAtMs === undefined ? [] : [passesAtMs + 1])
})

function at(waitMs: number, act: (deadline: Deadline) => void) {
  return (deadline: Deadline) => {
    vi.advanceTimersByTime(waitMs)
    act(deadline)
  }
}
