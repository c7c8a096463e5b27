import { expect, it } from 'vitest'
import { isAlike } from '../../../src/check/read/reply.ts'

const HALF = 'word '.repeat(2_000)

it.each([
  ['times and nonces', 'at 10:05, id 0123456789abcdefghij', 'at 9:07, id ABCDEFGHIJKLMNOPQRSTuvwxyz', true],
  ['a word', 'one', 'two', false],
  ['a word after 10,000 characters', `${HALF}one`, `${HALF}two`, false],
  [
    'a word after 20,000: comparing all of 1 MiB held up the check',
    `${HALF}${HALF}one`,
    `${HALF}${HALF}two`,
    true,
  ],
])('answers that differ in %s', (_what, one, other, expected) => {
  const [a, b] = [one, other].map((body) => ({ kind: 'response' as const, status: 200, fields: [], body }))
  expect(isAlike(a, b)).toBe(expected)
})
