import { describe, expect, it } from 'vitest'
import { freshFormattedId, freshPin, type Random } from '../../../src/sandbox/state/fresh.ts'

/** Gives these numbers, one a call, and fails when there are no more. */
function given(...numbers: readonly number[]): Random {
  const left = [...numbers]
  return (below) => {
    const next = left.shift()
    if (next === undefined || next >= below) throw new Error(`no number below ${below} is left`)
    return next
  }
}

describe('freshPin', () => {
  const all = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(4, '0'))

  it.each([
    ['four digits', 7, new Set<string>(), '0007'],
    ['the next free one', 7, new Set(['0007', '0008']), '0009'],
    ['around the end', 9999, new Set(['9999']), '0000'],
    ['the last free one', 0, new Set(all.filter((pin) => pin !== '4711')), '4711'],
  ])('is %s', (_name, first, taken, expected) => {
    expect(freshPin((pin) => taken.has(pin), given(first))).toBe(expected)
  })
})

describe('freshFormattedId', () => {
  it('draws again until one is free', () => {
    const taken = new Set(['001-002-003'])
    expect(freshFormattedId((id) => taken.has(id), given(1, 2, 3, 45, 6, 789))).toBe('045-006-789')
  })
})
