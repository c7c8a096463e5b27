import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { timestamp } from '../../src/serve/log.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('is the time of each line, even if the clock jumps', () => {
  const moments = [0, 0, 1, 999, 1_000, 500, 1_790_000_000_123]
  const written = moments.map((ms) => {
    vi.setSystemTime(ms)
    return timestamp()
  })
  expect(written).toEqual(moments.map((ms) => `,"time":"${new Date(ms).toISOString()}"`))
})
