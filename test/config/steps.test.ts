import { expect, it } from 'vitest'
import { parseInSteps } from '../../src/config/parse.ts'
import { inTurns, type Steps } from '../../src/config/steps.ts'

const POINTS = 4_000

/** Steps that take longer than a turn of the event loop may last. */
function* longSteps(count: number): Steps<string> {
  for (let i = 0; i < count; i += 1) {
    for (const endMs = performance.now() + 20; performance.now() < endMs; );
    yield
  }
  return 'done'
}

it('the event loop turns after each long step', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  expect(await inTurns(longSteps(5))).toBe('done')
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(5)
})

it.each([
  ['valid points', (i: number) => `https://www${i}.example.com/service_cookie_transfer/`, 'config'],
  [
    'points with an unknown key',
    (i: number) => ({ url: `https://www${i}.example.com/`, ulr: '' }),
    'problems',
  ],
  ['points without their key', (i: number) => ({ ulr: `https://www${i}.example.com/` }), 'problems'],
  ['points of the wrong type', (i: number) => i, 'problems'],
])('%s are parsed one in a step', (_, toPoint, result) => {
  const text = JSON.stringify({ points: Array.from({ length: POINTS }, (_, i) => toPoint(i)) })
  const steps = parseInSteps(text, 'config.json', [])
  let count = 1
  let step = steps.next()
  for (; !step.done; step = steps.next()) count += 1
  expect(step.value).toHaveProperty(result)
  expect(count).toBeGreaterThanOrEqual(POINTS)
})
