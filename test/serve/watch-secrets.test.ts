import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openLog } from '../../src/serve/log.ts'
import { watchSecrets } from '../../src/serve/watch-secrets.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What a file is at each look, a second after a look that finds something new and else three. */
it.each<[what: string, found: readonly (string | undefined)[], used: readonly string[], isLost: boolean]>([
  ['nothing new', ['old', 'old'], ['old', 'old'], false],
  ['another secret', ['new', 'new'], ['new'], false],
  ['half of one, then the whole', ['ne', 'new', 'new'], ['new'], false],
  ['none for a moment', [undefined, 'new', 'new'], ['new'], false],
  ['none for longer', [undefined, undefined], ['old'], true],
  ['an empty file', ['', ''], ['old'], true],
  ['none, then the old one', [undefined, undefined, 'old', 'old'], ['old', 'old'], false],
])('finds %s', async (_what, found, used, isLost) => {
  let at = 0
  const seen: string[] = []
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const isSecretLost = watchSecrets({
    own: {
      kindOf: async () => (found[at] === undefined ? 'nothing' : 'file'),
      readFile: async () => found[at] ?? '',
    },
    known: () => ({ key: seen.at(-1) ?? 'old' }),
    onLook: async ({ key = '' }) => void seen.push(key),
    log: openLog({ write, lostLines: () => 0, flush: () => Promise.resolve('taken') }),
  })
  for (; at < found.length; at += 1) await vi.advanceTimersToNextTimerAsync()
  expect(seen).toEqual(used)
  expect(isSecretLost()).toBe(isLost)
  expect(lines).toHaveLength(isLost || found.filter((text) => text === undefined).length > 1 ? 1 : 0)
})
