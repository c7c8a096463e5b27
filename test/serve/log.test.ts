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

it.each([
  ['of many, the first 50', 'a', 1, 50],
  ['of many with long texts, as many shortened ones as a shared pipe takes at once', 'a', 10_000, 13],
  ['the octets of a text count', '\u{20ac}', 10_000, 5],
])('%s are logged, with their number', (_, character, length, count) => {
  const { problemCount, problems } = shown(
    Array.from({ length: 4_000 }, () => problem('', character.repeat(length))),
  )
  expect(problemCount).toBe(4_000)
  expect(problems).toHaveLength(count)
  expect(Buffer.byteLength(JSON.stringify(problems))).toBeLessThan(4_096 - 200)
  if (length > 200) expect(JSON.stringify(problems)).toContain(`${character.repeat(200)}…`)
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
