import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deadline, DeadlineClock } from '../../src/proxy/deadline.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('a deadline', () => {
  it.each([
    ['passes after its time', (_: Deadline) => {}, 100, 125],
    ['begins again with progress', at(60, (deadline) => deadline.extend()), 160, 185],
    ['moves back', at(60, (deadline) => deadline.set(500)), 560, 585],
    ['moves forward', at(10, (deadline) => deadline.set(20)), 30, 55],
    ['never passes once cleared', at(60, (deadline) => deadline.clear()), Number.POSITIVE_INFINITY, 0],
    [
      'stays cleared when progress comes late',
      at(60, (deadline) => {
        deadline.clear()
        deadline.extend()
      }),
      Number.POSITIVE_INFINITY,
      0,
    ],
  ])('%s', (_, meanwhile, earliestMs, latestMs) => {
    const passedAtMs: number[] = []
    const startedAtMs = performance.now()
    const deadline = new Deadline(new DeadlineClock(), {
      onDeadline: () => passedAtMs.push(performance.now() - startedAtMs),
    })
    deadline.set(100)
    meanwhile(deadline)
    vi.advanceTimersByTime(2_000)
    if (earliestMs === Number.POSITIVE_INFINITY) return expect(passedAtMs).toEqual([])
    expect(passedAtMs).toHaveLength(1)
    expect(passedAtMs[0]).toBeGreaterThanOrEqual(earliestMs)
    expect(passedAtMs[0]).toBeLessThanOrEqual(latestMs)
  })
})

describe('the clock', () => {
  it('calls every owner whose deadline has passed, and no other, whatever was removed around it', () => {
    const clock = new DeadlineClock()
    const passed: number[] = []
    const deadlines = Array.from(
      { length: 9 },
      (_, at) => new Deadline(clock, { onDeadline: () => passed.push(at) }),
    )
    for (const [at, deadline] of deadlines.entries()) deadline.set(at % 3 === 2 ? 10_000 : 100)
    for (const at of [0, 4, 8]) deadlines[at]?.clear()
    vi.advanceTimersByTime(200)
    expect(passed.toSorted()).toEqual([1, 3, 6, 7])
    vi.advanceTimersByTime(20_000)
    expect(passed.toSorted()).toEqual([1, 2, 3, 5, 6, 7])
  })

  it('lets an owner set it again, or clear another, when it passes', () => {
    const clock = new DeadlineClock()
    const passed: string[] = []
    const other = new Deadline(clock, { onDeadline: () => passed.push('other') })
    const again: Deadline = new Deadline(clock, {
      onDeadline: () => {
        passed.push('again')
        other.clear()
        if (passed.length < 3) again.set(50)
      },
    })
    again.set(50)
    other.set(50)
    vi.advanceTimersByTime(1_000)
    expect(passed).toEqual(['again', 'again', 'again'])
  })

  it('hardly counts the time in which the process was stopped, so that what has arrived meanwhile is read first', () => {
    const passedAtMs: number[] = []
    const clock = new DeadlineClock()
    const deadline = new Deadline(clock, { onDeadline: () => passedAtMs.push(performance.now()) })
    deadline.set(1_000)
    vi.advanceTimersByTime(500)
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
    vi.advanceTimersByTime(100)
    expect(passedAtMs).toEqual([])
    deadline.extend()
    vi.advanceTimersByTime(900)
    expect(passedAtMs).toEqual([])
    vi.advanceTimersByTime(200)
    expect(passedAtMs).toHaveLength(1)
  })

  it('has no timer while no deadline is open', () => {
    const deadline = new Deadline(new DeadlineClock(), { onDeadline: () => {} })
    expect(vi.getTimerCount()).toBe(0)
    deadline.set(100)
    expect(vi.getTimerCount()).toBe(1)
    deadline.clear()
    vi.advanceTimersByTime(100)
    expect(vi.getTimerCount()).toBe(0)
    deadline.set(100)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})

function at(waitMs: number, act: (deadline: Deadline) => void) {
  return (deadline: Deadline) => {
    vi.advanceTimersByTime(waitMs)
    act(deadline)
  }
}
