import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openAlarm, planWait } from '../../src/monitor/schedule.ts'

it.each([
  ['the middle', { everyMs: 300_000, tookMs: 0, random: 0.5 }, 300_000],
  ['a tenth early', { everyMs: 300_000, tookMs: 0, random: 0 }, 270_000],
  ['a tenth late', { everyMs: 300_000, tookMs: 0, random: 1 }, 330_000],
  ['less the duration of the run', { everyMs: 300_000, tookMs: 12_345, random: 0.5 }, 287_655],
  ['a pause after a run as long as the interval', { everyMs: 60_000, tookMs: 60_000, random: 0.5 }, 6_000],
  ['the same pause after a longer one', { everyMs: 60_000, tookMs: 3_600_000, random: 0.5 }, 6_000],
])('%s', (_what, timing, waitMs) => {
  expect(planWait(timing)).toBe(waitMs)
})

it('no two starts are nearer than 0.9 intervals, and no wait is more than a timer takes', () => {
  const timings = fc.record({
    everyMs: fc.integer({ min: 30_000, max: 86_400_000 }),
    tookMs: fc.integer({ min: 0, max: 200_000_000 }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(timings, (timing) => {
      const waitMs = planWait(timing)
      const { everyMs, tookMs } = timing
      return (
        Number.isInteger(waitMs) &&
        waitMs < 2 ** 31 &&
        tookMs + waitMs >= Math.floor(0.9 * everyMs) &&
        waitMs >= Math.floor(0.1 * everyMs)
      )
    }),
  )
})

describe('the alarm of a schedule', () => {
  it('ends a wait', async () => {
    const alarm = openAlarm()
    const waited = alarm.wait(LONG_MS)
    alarm.ring()
    await waited
  })

  it('that rings before a wait ends the next one, and only that', async () => {
    const alarm = openAlarm()
    alarm.ring()
    alarm.ring()
    await alarm.wait(LONG_MS)
    const second = alarm.wait(LONG_MS).then(() => 'over')
    expect(await Promise.race([second, new Promise((resolve) => setImmediate(resolve, 'waiting'))])).toBe(
      'waiting',
    )
    alarm.ring()
    expect(await second).toBe('over')
  })

  it('lets a wait end by itself', async () => {
    const alarm = openAlarm()
    await alarm.wait(1)
    await alarm.wait(1)
  })
})

const LONG_MS = 3_600_000
