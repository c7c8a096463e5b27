import { expect, it } from 'vitest'
import { openRateLimit } from '../../../src/sandbox/state/rate-limit.ts'

// A hundred calls of a stand-in are in readings.test.ts.
it('says how long to wait after too many calls, by address', () => {
  const limit = openRateLimit(2)
  expect([0, 1, 2, 59_001].map((nowMs) => limit.count('a', nowMs))).toEqual([undefined, undefined, 60, 1])
  expect(limit.count('b', 2)).toBeUndefined()
  expect(limit.count('a', 60_000)).toBeUndefined()
})

it('starts over when the clock is set back', () => {
  const limit = openRateLimit(1)
  limit.count('a', 1_000_000)
  expect(limit.count('a', 0)).toBeUndefined()
})
