import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseMoment } from '../../../src/account/history/moment.ts'
import { toSlices } from '../../../src/account/history/slices.ts'

const day = 86_400_000

test('slices touch, cover the range and nothing else, and are few', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 1, max: 20 * 365 * day }),
      (fromMs, lengthMs) => {
        const slices = toSlices({ fromMs, toMs: fromMs + lengthMs })
        expect(slices.length).toBeLessThanOrEqual(30)
        expect(slices[0]?.min_date).toBe(new Date(fromMs).toISOString())
        expect(slices.at(-1)?.max_date).toBe(new Date(fromMs + lengthMs).toISOString())
        for (const [index, { min_date, max_date }] of slices.entries()) {
          expect(Date.parse(min_date)).toBeLessThan(Date.parse(max_date))
          if (index > 0) expect(min_date).toBe(slices[index - 1]?.max_date)
        }
      },
    ),
  )
})

test.each([
  [day, 24],
  [30 * day, 30],
  [365 * day, 30],
  [1, 1],
])('%i ms are %i slices', (toMs, count) => {
  expect(toSlices({ fromMs: 0, toMs })).toHaveLength(count)
})

describe('a moment', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+01:00', '2026-01-31T11:00:00.000Z'],
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseMoment(text)).toEqual({ ms: Date.parse(iso) })
  })

  it.each([
    ['', 'is neither'],
    ['yesterday', 'is neither'],
    ['2026-1-31', 'is neither'],
    ['2026-01-31 12:00', 'is neither'],
    ['2026-01-31Z', 'is neither'],
    ['2026-01-31T12:00:00', 'time zone'],
    ['2026-02-31', 'is not a date'],
    ['2026-02-31T00:00:00Z', 'is not a date'],
    ['2026-13-01', 'is not a date'],
    ['2026-01-31T25:00:00Z', 'is not a date'],
  ])('%s is not one: %s', (text, reason) => {
    expect(parseMoment(text)).toEqual({ reason: expect.stringContaining(reason) })
  })
})
