import { describe, expect, it } from 'vitest'
import { exchangesLeft, judgeMemory } from '../../src/serve/memory-watch.ts'

const MEBIBYTE = 1_048_576
const room = { memoryBytes: 256 * MEBIBYTE, heapBytes: 128 * MEBIBYTE }
const left = (resident: number, heap: number, freeHeap = 0, inFlight = 0) =>
  exchangesLeft(
    {
      residentBytes: resident * MEBIBYTE,
      heapBytes: heap * MEBIBYTE,
      freeHeapBytes: freeHeap * MEBIBYTE,
    },
    inFlight,
    room,
    65_536,
  )

describe('how many more exchanges there is room for', () => {
  it('many in a process that has just started', () => {
    expect(left(70, 15)).toBeGreaterThan(300)
  })

  it('none above 85 % of the memory, or of the heap', () => {
    expect(left(218, 15)).toBeLessThanOrEqual(0)
    expect(left(70, 109)).toBeLessThanOrEqual(0)
  })

  it('as many as before once objects are collected, though V8 keeps their memory', () => {
    expect(left(200, 15, 130)).toBe(left(70, 15))
  })

  it('fewer the more sockets the kernel may hold octets for', () => {
    expect(left(100, 40, 0, 200)).toBeLessThan(left(100, 40))
  })

  it('fewer the larger a head may be', () => {
    const use = { residentBytes: 70 * MEBIBYTE, heapBytes: 15 * MEBIBYTE, freeHeapBytes: 0 }
    expect(exchangesLeft(use, 0, room, 131_072)).toBeLessThan(exchangesLeft(use, 0, room, 65_536))
  })
})

it.each([
  ['enough', 1, 332, 'enough'],
  ['enough', 0, 332, 'short'],
  ['enough', -5, 332, 'short'],
  ['short', 0, 332, 'short'],
  ['short', 31, 332, 'short'],
  ['short', 32, 332, 'enough'],
  ['short', 3, 16, 'short'],
  ['short', 4, 16, 'enough'],
] as const)('memory that was %s, with room for %i more of at most %i, is %s', (before, more, most, after) => {
  expect(judgeMemory(before, more, most)).toBe(after)
})
