import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Stalls, type Unread } from '../../src/proxy/stalls.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Waiting = Partial<Omit<Unread, 'unsentOctets'>> & { name: string; unsentOctets?: () => number }

/** Responses that wait for their clients; `gaveWay` names those that were cut. */
function stallsOf(...waiting: Waiting[]) {
  const stalls = new Stalls()
  const gaveWay: string[] = []
  fill(stalls, gaveWay, waiting)
  return { stalls, gaveWay }
}

function fill(stalls: Stalls, gaveWay: string[], waiting: readonly Waiting[]): void {
  for (const { name, unsentOctets, ...unread } of waiting) {
    const stall = stalls.begin({
      holds: 'connection',
      responseOctets: 0,
      get unsentOctets() {
        return unsentOctets?.() ?? 1_000
      },
      giveWay: () => {
        stalls.end(stall)
        gaveWay.push(name)
      },
      ...unread,
    })
  }
}

describe('responses that nobody reads', () => {
  const three = () =>
    stallsOf({ name: 'refusal', holds: 'nothing' }, { name: 'short', holds: 'place' }, { name: 'long' })

  it.each([
    ['no place within the time of grace', 1_900, (all: Stalls) => all.freePlace(100), []],
    ['a place, of the one that waited longest', 2_100, (all: Stalls) => all.freePlace(100), ['short']],
    ['no connection if no request lacks one', 2_100, (all: Stalls) => all.relieve(() => 0, 100), []],
    ['as many connections as requests lack', 2_100, (all: Stalls) => all.relieve(() => 1, 100), ['long']],
    ['no more than there are', 2_100, (all: Stalls) => all.relieve(() => 9, 100), ['long']],
  ])('give %s', (_what, ms, act, expected) => {
    const { stalls, gaveWay } = three()
    vi.advanceTimersByTime(ms)
    act(stalls)
    expect(gaveWay).toEqual(expected)
  })

  it('get a second more for each 150 KB that were read', () => {
    const { stalls, gaveWay } = stallsOf({ name: 'long', responseOctets: 1_500_000 })
    vi.advanceTimersByTime(11_900)
    stalls.relieve(() => 1, 100)
    expect(gaveWay).toEqual([])
    vi.advanceTimersByTime(200)
    stalls.relieve(() => 1, 100)
    expect(gaveWay).toEqual(['long'])
  })

  it.each([
    ['a quarter of the time, and no more for what was read, where five are more than half', 9, 600, 2],
    ['that quarter', 9, 400, 0],
    ['all of their time where they are half', 10, 2_100, 0],
  ])('get %s', (_what, all, ms, expected) => {
    const long = { responseOctets: 1_500_000 }
    const { stalls, gaveWay } = stallsOf(...['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, ...long })))
    vi.advanceTimersByTime(ms)
    stalls.relieve(() => 2, all)
    expect(gaveWay).toHaveLength(expected)
  })

  it('give way in a crowd by how little of them was taken, not by how long they wait', () => {
    const crowd = [5, 3, 4, 3].map((responseOctets, i) => ({ name: String(i), responseOctets }))
    const { stalls, gaveWay } = stallsOf(...crowd)
    vi.advanceTimersByTime(600)
    stalls.relieve(() => 3, 7)
    expect(gaveWay).toEqual(['1', '3', '2'])
  })

  it('make no crowd of those with a connection if most hold only a place', () => {
    const long = { responseOctets: 1_500_000 }
    const places = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, holds: 'place' as const }))
    const { stalls, gaveWay } = stallsOf(...places, { name: 'download', ...long }, { name: 'other', ...long })
    vi.advanceTimersByTime(2_100)
    stalls.relieve(() => 2, 9)
    expect(gaveWay).toEqual([])
    stalls.freePlace(9)
    expect(gaveWay).toEqual(['a'])
  })

  it('wait from the start again when the client reads', () => {
    let unsentOctets = 1_000
    const { stalls, gaveWay } = stallsOf(
      { name: 'read', unsentOctets: () => unsentOctets },
      { name: 'unread' },
    )
    vi.advanceTimersByTime(2_100)
    unsentOctets = 999
    expect([stalls.freePlace(100), stalls.freePlace(100)]).toEqual([true, false])
    expect(gaveWay).toEqual(['unread'])
  })

  it.each([
    ['64 that hold nothing, however long', 64, 60_000, 0],
    ['more for a moment', 512, 0, 0],
    ['more for long', 70, 60_000, 6],
    ['513 at no moment', 513, 0, 1],
  ])('may be %s', (_what, count, ms, expected) => {
    const refusals = Array.from({ length: count }, (_, i) => ({ name: String(i), holds: 'nothing' as const }))
    const { stalls, gaveWay } = stallsOf(...refusals)
    vi.advanceTimersByTime(ms)
    stalls.relieve(() => 0, 100)
    expect(gaveWay).toHaveLength(expected)
    expect(gaveWay[0]).toBe(expected === 0 ? undefined : '0')
  })
})
