import { expect, it } from 'vitest'
import { PendingReplies } from '../../src/serve/pending-replies.ts'

it.each([
  { name: 'none is asked', asked: [], settled: [], outcome: 'resolved' },
  { name: 'each has replied', asked: ['a', 'b'], settled: ['b', 'a'], outcome: 'resolved' },
  { name: 'one is silent', asked: ['a', 'b'], settled: ['a'], outcome: 'pending' },
  { name: 'one replies twice', asked: ['a', 'b'], settled: ['a', 'a'], outcome: 'pending' },
  { name: 'one that was not asked replies', asked: ['a'], settled: ['c'], outcome: 'pending' },
])('$name: $outcome', async ({ asked, settled, outcome }) => {
  const replies = new PendingReplies<string>()
  const all = replies.all(asked, 60_000).then(() => 'resolved')
  for (const each of settled) replies.settle(each)
  expect(await Promise.race([all, turn()])).toBe(outcome)
  for (const each of asked) replies.settle(each)
  expect(await all).toBe('resolved')
})

it('waits no longer than it is told to', async () => {
  const replies = new PendingReplies<string>()
  await replies.all(['silent'], 1)
  replies.settle('silent')
})

function turn(): Promise<string> {
  return new Promise((resolve) => setImmediate(() => resolve('pending')))
}
