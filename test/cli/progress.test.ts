import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openProgress } from '../../src/cli/io.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['a terminal', 80, '\r\u001b[Ka: dns\r\u001b[Ka: tls\r\u001b[K'],
  ['a narrow terminal', 5, '\r\u001b[Ka: d\r\u001b[Ka: t\r\u001b[K'],
  ['a log', undefined, ''],
])('shows %s', (_what, stderrColumns, expected) => {
  expect(watch(stderrColumns, ['a: dns', 'a: tls'])).toBe(expected)
})

it('names what takes long, once every ten seconds', () => {
  expect(watch(undefined, ['a: dns', 25_000])).toBe('Still waiting: a: dns\n')
  expect(watch(undefined, ['a: dns', 9000, 'a: tls', 9000, 'a: nonce', 9000])).toBe('')
})

/** Shows each text and lets each number of milliseconds pass. */
function watch(stderrColumns: number | undefined, steps: readonly (string | number)[]): string {
  let written = ''
  const progress = openProgress({
    stderrColumns,
    stderr: (text) => {
      written += text
    },
  })
  for (const step of steps) {
    if (typeof step === 'string') progress.show(step)
    else vi.advanceTimersByTime(step)
  }
  progress.close()
  return written
}
