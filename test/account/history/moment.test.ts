import { expect, it } from 'vitest'
import { parseMoment } from '../../../src/account/history/moment.ts'

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
])('%s is no moment: %s', (text, reason) => {
  expect(parseMoment(text)).toEqual({ reason: expect.stringContaining(reason) })
})
