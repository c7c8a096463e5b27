import { describe, expect, it } from 'vitest'
import { formatTimestamp, parseTimestamp } from '../../src/sandbox/state/schema.ts'

describe('a timestamp', () => {
  it('is written in UTC with microseconds', () => {
    expect(formatTimestamp(1)).toBe('1970-01-01T00:00:00.001000Z')
  })

  it.each([
    ['1970-01-01T00:00:00.001000Z', 1],
    ['1970-01-01T00:00:00.0019999Z', 1],
    ['1970-01-01T00:00:01', 1000],
    ['1970-01-01T00:01Z', 60_000],
    ['1970-01-01T02:00:00+02:00', 0],
    ['1970-01-01T00:00:00.5-01:00', 3_600_500],
    ['1970-01-01T00:00:00+0100', -3_600_000],
    ['2028-02-29', 1_835_395_200_000],
    ['1970-01-02', 86_400_000],
  ])('%s is read', (text, ms) => {
    expect(parseTimestamp(text)).toBe(ms)
  })

  it.each([
    '',
    'now',
    '1970-01-01T00:00:00 02:00',
    '2030-02-30',
    '2030-02-29T00:00:00Z',
    '1970-01-01T00:00:00+01',
    '1970-01-01T25:00:00Z',
    '1970-01-01T00:00:00.Z',
    '1970-01-01Z',
    '01/02/1970',
  ])('"%s" is not one', (text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })
})
