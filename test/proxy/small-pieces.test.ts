import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SmallPieces } from '../../src/proxy/small-pieces.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openReading() {
  const reading = {
    isRead: true,
    isOver: false,
    hold: () => {
      reading.isRead = false
    },
    release: () => {
      reading.isRead = true
    },
  }
  return reading
}

it('holds nobody for 20,000 at once, or 100 in each millisecond', async () => {
  const pieces = new SmallPieces(100)
  const reading = openReading()
  pieces.take(reading, 20_000)
  expect(reading.isRead).toBe(true)
  await vi.advanceTimersByTimeAsync(50)
  pieces.take(reading, 5_000)
  expect(reading.isRead).toBe(true)
  pieces.take(reading, 100)
  expect(reading.isRead).toBe(false)
})

it('lets the others go on one at a time, in their order, each as long after as its pieces take', async () => {
  const pieces = new SmallPieces(100)
  const [first, gone, last] = [openReading(), openReading(), openReading()]
  pieces.take(first, 30_000)
  for (const reading of [gone, last]) pieces.take(reading, 1_000)
  gone.isOver = true
  const isRead = () => [first, last].map((reading) => reading.isRead)
  await vi.advanceTimersByTimeAsync(299)
  expect(isRead()).toEqual([false, false])
  await vi.advanceTimersByTimeAsync(1)
  expect(isRead()).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(300)
  expect(isRead()).toEqual([true, true])
})

it('has no more taken where five times as many came as may come at once, until it has made up for them', async () => {
  const pieces = new SmallPieces(100)
  pieces.take(openReading(), 100_000)
  expect(pieces.mayTake()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(pieces.mayTake()).toBe(true)
})
