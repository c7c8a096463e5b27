import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Link } from '../../src/proxy/connections.ts'
import type { Attempt, Lease, Stage } from '../../src/proxy/lease.ts'
import { Leases } from '../../src/proxy/leases.ts'
import { playSchedule } from './leases-model.ts'

const SCHEDULES = Number(process.env.SCHEDULES ?? 10_000)
const FIRST_SEED = Number(process.env.SEED ?? 1)

it(`${SCHEDULES} random schedules from seed ${FIRST_SEED} hold every invariant`, {
  timeout: 900_000,
}, async () => {
  let played = 0
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed += 1) {
    await playSchedule(seed, 60).catch((error: Error) => {
      throw new Error(`seed ${seed}: ${error.message}`)
    })
    played += 1
  }
  expect(played).toBe(SCHEDULES)
})

/** Leases of connections that open at once. */
function openLeases(limit: number) {
  const revoked: string[] = []
  const opening: ((link: Link) => void)[] = []
  const leases = new Leases<Link>((onOpen) => {
    opening.push(onOpen)
    return { cancel: () => {} }
  }, limit)
  const open = () => {
    for (const onOpen of opening.splice(0)) {
      const link: Link = { destroy: () => leases.closed(link) }
      onOpen(link)
    }
  }
  const ask = (name: string, stage: Stage = 'complete', unsentOctets = () => 1_000, most = 1_000) => {
    const exchange = {
      get unsentOctets() {
        return unsentOctets()
      },
      revoke: () => {
        revoked.push(name)
        if (lease === undefined) return
        leases.end(lease)
        connection?.destroy()
      },
    }
    let connection: Link | undefined
    const attempt: Attempt<Link> = {
      onConnection: (link) => {
        connection = link
      },
      onDialFailure: () => {},
    }
    const lease: Lease<Link> | undefined = leases.admit(exchange, leases.pool, stage, most)
    const fate = lease === undefined ? 'refused' : leases.enqueue(lease, attempt)
    return { lease, fate, connection: () => connection }
  }
  return { leases, ask, open, revoked, opening }
}

describe('of four leases', () => {
  it('uploads hold three, and others are served beside them', () => {
    const { ask, open } = openLeases(4)
    const uploads = Array.from({ length: 6 }, (_, i) => ask(`upload ${i}`, 'arriving'))
    const other = ask('other')
    open()
    expect(uploads.map(({ lease }) => lease?.state)).toEqual([
      ...Array(3).fill('held'),
      ...Array(3).fill('waiting'),
    ])
    expect(other.lease?.state).toBe('held')
  })

  it('sixteen more may wait, uploads in twelve places of these', () => {
    const { ask, open } = openLeases(4)
    for (let i = 0; i < 15; i += 1)
      expect(ask('upload', 'arriving').fate).toBe(i < 12 ? 'queued' : 'overloaded')
    open()
    // Three have a lease by now, and nine wait.
    for (let i = 0; i < 7; i += 1) expect(ask('other').fate).toBe('queued')
    expect(ask('other').fate).toBe('overloaded')
    expect(ask('upload', 'arriving').fate).toBe('overloaded')
  })

  it('a connection is opened for each of those that wait, and no more', () => {
    const { ask, opening } = openLeases(4)
    for (let i = 0; i < 6; i += 1) ask('any')
    expect(opening).toHaveLength(4)
  })
})

it('a request whose connection broke gets a new one, and the next request one that is idle still', () => {
  const { leases, ask, open, opening } = openLeases(4)
  const asked = [ask('first'), ask('second')]
  open()
  for (const { lease, connection } of asked) {
    if (lease !== undefined) leases.end(lease)
    leases.free(connection() as Link)
  }
  const broken = ask('third')
  broken.connection()?.destroy()
  if (broken.lease !== undefined) leases.retake(broken.lease)
  const next = ask('fourth')
  expect([broken.lease?.state, next.lease?.state, opening.length]).toEqual(['waiting', 'held', 1])
  open()
  expect(broken.lease?.state).toBe('held')
  expect(asked.map(({ connection }) => connection())).toContain(next.connection())
})

describe('a lease whose client takes nothing', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const blocked = (unsent: Record<string, number> = {}) => {
    const opened = openLeases(4)
    const names = ['first', 'second', 'third', 'fourth']
    const all = names.map((name) => opened.ask(name, 'complete', () => unsent[name] ?? 1_000).lease)
    opened.open()
    for (const lease of all) {
      if (lease !== undefined) opened.leases.block(lease)
      vi.advanceTimersByTime(1)
    }
    return { ...opened, all }
  }

  it('is kept while nobody waits', () => {
    const { revoked } = blocked()
    vi.advanceTimersByTime(60_000)
    expect(revoked).toEqual([])
  })

  it('is revoked after two seconds for one that waits, the longest first', () => {
    const { ask, open, revoked } = blocked()
    const { lease } = ask('waiting')
    vi.advanceTimersByTime(1_900)
    expect(revoked).toEqual([])
    vi.advanceTimersByTime(300)
    expect(revoked).toEqual(['first'])
    vi.advanceTimersByTime(60_000)
    expect(revoked).toEqual(['first'])
    open()
    expect(lease?.state).toBe('held')
  })

  it('is kept if its client has taken something, or takes all meanwhile', () => {
    const unsent: Record<string, number> = {}
    const { ask, leases, all, revoked } = blocked(unsent)
    ask('waiting')
    unsent.first = 999
    if (all[1] !== undefined) leases.unblock(all[1])
    vi.advanceTimersByTime(2_200)
    expect(revoked).toEqual(['third'])
  })

  it('is kept if its client has taken something of what was added last', () => {
    const unsent: Record<string, number> = {}
    const { ask, leases, all, revoked } = blocked(unsent)
    ask('waiting')
    unsent.first = 3_000
    if (all[0] !== undefined) leases.block(all[0])
    unsent.first = 2_000
    vi.advanceTimersByTime(2_200)
    expect(revoked).toEqual(['second'])
  })

  it('is revoked for a request that would be one too many in flight', () => {
    const { ask, revoked } = blocked()
    expect(ask('early', 'complete', undefined, 4).fate).toBe('refused')
    vi.advanceTimersByTime(2_200)
    expect(ask('upload', 'arriving', undefined, 4).fate).toBe('refused')
    expect(ask('late', 'complete', undefined, 4).fate).toBe('queued')
    expect(revoked).toEqual(['first'])
  })
})
