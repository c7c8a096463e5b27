import { expect, it, onTestFinished, vi } from 'vitest'
import { shown, timestamp } from '../../src/serve/log.ts'

const problem = (pointer: string, message: string) => ({
  location: { file: 'config.json', line: 7, column: 3, pointer },
  message,
})

it('a few problems are logged as they are', () => {
  expect(shown([problem('/points/0', 'not a point')])).toEqual({
    problemCount: 1,
    problems: [{ file: 'config.json', line: 7, column: 3, pointer: '/points/0', message: 'not a point' }],
  })
})

it('of many problems the first 50 are logged, shortened, with their number', () => {
  const { problemCount, problems } = shown(
    Array.from({ length: 4_000 }, () => problem('', 'a'.repeat(10_000))),
  )
  expect([problemCount, problems]).toEqual([4_000, expect.any(Array)])
  expect(problems).toHaveLength(50)
  expect(JSON.stringify(problems)).toContain(`"message":"${'a'.repeat(200)}…"`)
})

it('the time of each line is its own, even if the clock jumps', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const moments = [0, 0, 1, 999, 1_000, 500, 1_790_000_000_123]
  const written = moments.map((ms) => {
    vi.setSystemTime(ms)
    return timestamp()
  })
  expect(written).toEqual(moments.map((ms) => `,"time":"${new Date(ms).toISOString()}"`))
})
