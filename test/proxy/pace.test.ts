import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Allowance } from '../../src/proxy/allowance.ts'
import { Connections, type Link } from '../../src/proxy/connections.ts'
import { Pace } from '../../src/proxy/pace.ts'
import { Ticket, WaitingList } from '../../src/proxy/waiting-list.ts'

describe('the pace', () => {
  it('is unknown before a whole round of connections was given out', () => {
    const pace = new Pace(4)
    for (const nowMs of [0, 100, 200, 300]) pace.grant(nowMs)
    expect(pace.expectedMs(100)).toBe(0)
    pace.grant(400)
    expect(pace.expectedMs(100)).toBe(10_000)
  })

  it('is that of the last round', () => {
    const pace = new Pace(4)
    for (let i = 0; i < 50; i += 1) pace.grant(i * 1_000)
    for (let i = 0; i < 5; i += 1) pace.grant(50_000 + i)
    expect(pace.expectedMs(4)).toBe(4)
  })

  it('is not misled by bursts as large as a round', () => {
    const pace = new Pace(4)
    for (const nowMs of [0, 0, 0, 0, 800, 800, 800, 800]) pace.grant(nowMs)
    expect(pace.expectedMs(1)).toBe(200)
  })

  it('is forgotten when no request waits', () => {
    const pace = new Pace(1)
    pace.grant(0)
    pace.grant(1_000)
    pace.reset()
    pace.grant(100_000)
    expect(pace.expectedMs(1)).toBe(0)
  })
})

describe('the expected wait', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Every second a complete request waits for a moment, and then 50 of them. */
  const burstAfterQuiet = (stageOfFirst: 'uploading' | 'complete') => {
    const list = new WaitingList<Link>(4)
    const enter = (stage: 'uploading' | 'complete') => {
      const ticket = new Ticket<Link>({ onConnection: () => {}, onDialFailure: () => {} }, stage)
      list.register(ticket)
      list.add(ticket)
      return ticket
    }
    enter(stageOfFirst)
    for (let i = 0; i < 10; i += 1) {
      list.grant(enter('complete'))
      vi.advanceTimersByTime(1_000)
    }
    for (let i = 0; i < 50; i += 1) enter('complete')
    return list.expectedWaitMs(false)
  }

  it('is that of complete requests, which waiting uploads don’t hold up', () => {
    expect(burstAfterQuiet('uploading')).toBe(0)
    expect(burstAfterQuiet('complete')).toBe(51_000)
  })
})

const CONNECTIONS = 8
const LONGEST_WAIT_MS = 1_000

describe('refusing requests that would wait in vain', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ['the service keeps up', 70, () => 400],
    ['a burst is over before the wait is', 20, (atMs: number) => (atMs < 300 ? 100 : 40)],
    ['the service is stalled, and nothing is known', 10, () => 1e9],
  ])('refuses no request while %s', (_what, everyMs, serviceMs) => {
    expect(play(everyMs, serviceMs, 'refuse').refused).toBe(0)
  })

  it.each([
    ['is three times too slow', 10, () => 240],
    ['is ten times too slow', 10, () => 800],
    ['answers in bursts', 10, (atMs: number) => 800 - (atMs % 400)],
    ['becomes twice as fast', 10, (atMs: number) => (atMs < 10_000 ? 800 : 400)],
  ])('loses hardly any response if the service %s', (_what, everyMs, serviceMs) => {
    const [patient, refusing] = [play(everyMs, serviceMs, 'wait'), play(everyMs, serviceMs, 'refuse')]
    expect(refusing.refused).toBeGreaterThan(0)
    expect(refusing.served).toBeGreaterThanOrEqual(patient.served - CONNECTIONS)
    expect(refusing.inVain).toBeLessThan(patient.inVain)
  })
})

/** Simulates 20 s of requests, one every so many milliseconds, with the service time of each. */
function play(everyMs: number, serviceMs: (atMs: number) => number, who: 'wait' | 'refuse') {
  const outcome = { served: 0, refused: 0, inVain: 0 }
  const due = new Map<number, (() => void)[]>()
  let nowMs = 0
  const after = (ms: number, act: () => void) => {
    const at = Math.ceil(nowMs + ms)
    due.set(at, [...(due.get(at) ?? []), act])
  }
  const connections: Connections<Link> = new Connections((onOpen) => {
    const link: Link = { destroy: () => after(0, () => connections.closed(link)) }
    after(1, () => onOpen(link))
    return { cancel: () => {} }
  }, new Allowance(CONNECTIONS))
  const arrive = () => {
    if (who === 'refuse' && connections.expectedWaitMs(false) > 2 * LONGEST_WAIT_MS) {
      outcome.refused += 1
      return
    }
    const ticket: Ticket<Link> = new Ticket(
      {
        onConnection: (link) =>
          after(serviceMs(nowMs), () => {
            outcome.served += 1
            connections.leave(ticket)
            connections.release(link)
          }),
        onDialFailure: () => {},
      },
      'complete',
    )
    connections.join(ticket)
    after(LONGEST_WAIT_MS, () => {
      if (ticket.state !== 'waiting') return
      outcome.inVain += 1
      connections.leave(ticket)
    })
  }
  for (; nowMs < 20_000; nowMs += 1) {
    if (nowMs % everyMs === 0) arrive()
    for (const act of due.get(nowMs) ?? []) act()
    vi.advanceTimersByTime(1)
  }
  return outcome
}
