import { expect, test } from 'vitest'
import { parseDuration } from '../../src/config/schema-parts.ts'

test.each([
  ['1ms', 1],
  ['5s', 5000],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['24h', 86_400_000],
])('%s is %i milliseconds', (text, ms) => {
  expect(parseDuration(text)).toEqual({ ms })
})

test.each([
  ['', /not a duration/],
  ['5', /not a duration/],
  ['1.5s', /not a duration/],
  ['-5s', /not a duration/],
  ['5S', /not a duration/],
  ['٥s', /not a duration/],
  ['0s', /zero/],
  ['25h', /24 hours/],
  ['86400001ms', /24 hours/],
  ['9999999999999h', /not a duration/],
])('%j is refused', (text, reason) => {
  expect(parseDuration(text)).toEqual({ reason: expect.stringMatching(reason) })
})
