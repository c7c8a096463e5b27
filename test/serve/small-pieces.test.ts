import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SmallPieces } from '../../src/serve/small-pieces.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A socket as far as reading goes. */
function openSocket() {
  const events = new EventEmitter()
  const socket = Object.assign(events, {
    isRead: true,
    destroyed: false,
    pause: () => {
      socket.isRead = false
    },
    resume: () => {
      socket.isRead = true
      events.emit('resume')
    },
  })
  return socket
}
type Fake = ReturnType<typeof openSocket>
const take = async (pieces: SmallPieces, socket: Fake, count: number) => {
  pieces.take(socket as unknown as Socket, count)
  await vi.advanceTimersByTimeAsync(0)
}

it('holds nobody for 20,000 at once, or 100 in each millisecond', async () => {
  const pieces = new SmallPieces()
  const socket = openSocket()
  await take(pieces, socket, 20_000)
  expect(socket.isRead).toBe(true)
  await vi.advanceTimersByTimeAsync(50)
  await take(pieces, socket, 5_000)
  expect(socket.isRead).toBe(true)
  await take(pieces, socket, 100)
  expect(socket.isRead).toBe(false)
})

it('lets the others go on one at a time, in their order, each as long after as its pieces take', async () => {
  const pieces = new SmallPieces()
  const [first, gone, last] = [openSocket(), openSocket(), openSocket()]
  await take(pieces, first, 30_000)
  for (const socket of [gone, last]) await take(pieces, socket, 1_000)
  gone.destroyed = true
  const isRead = () => [first, last].map((socket) => socket.isRead)
  await vi.advanceTimersByTimeAsync(299)
  expect(isRead()).toEqual([false, false])
  await vi.advanceTimersByTimeAsync(1)
  expect(isRead()).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(300)
  expect(isRead()).toEqual([true, true])
})

it('has no more taken where five times as many came as may come at once, until it has made up for them', async () => {
  const pieces = new SmallPieces()
  await take(pieces, openSocket(), 100_000)
  expect(pieces.mayTake()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(pieces.mayTake()).toBe(true)
})
