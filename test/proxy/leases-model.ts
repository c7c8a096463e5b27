import type { Dial, Link } from '../../src/proxy/connections.ts'
import type { Lease, Stage } from '../../src/proxy/lease.ts'
import { Leases } from '../../src/proxy/leases.ts'

/*
 * Random schedules of requests, aborts, refusals, resets and reloads, played on leases and on a model of two queues that is
 * written down in another way. What differs, or breaks an invariant, throws.
 */

/** A request in the model. Lower ranks go first; those that are sent again get negative ones. */
interface Request {
  readonly id: number
  rank: number
  /** How many had been sent by then, for the first time or again. */
  sent: number
  /** As many if it is sent again, since it needs a connection that was begun later. */
  since: number
  stage: Stage
  readonly lease: Lease<FakeLink>
  link: FakeLink | undefined
}

class FakeLink implements Link {
  state: 'open' | 'closing' | 'closed' = 'open'
  readonly dial: FakeDial
  constructor(dial: FakeDial) {
    this.dial = dial
  }
  destroy(): void {
    if (this.state === 'open') this.state = 'closing'
  }
}

interface FakeDial {
  readonly by: Dial<FakeLink>
  state: 'open' | 'cancelled'
  /** How many requests had been sent when it began, for the first time or again. */
  readonly begun: number
  readonly onOpen: (link: FakeLink) => void
  readonly onFailure: (error: Error) => void
}

/**
 * Plays one schedule of `steps` steps and lets everything end.
 *
 * @throws Error naming the first violation
 */
export async function playSchedule(seed: number, steps: number): Promise<void> {
  const next = random(seed)
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(next() * from.length)]
  let limit = 1 + Math.floor(next() * 8)
  /** Limits that became smaller hold for what begins from then on. */
  let ceiling = limit
  let heldCeiling = limit
  const dials: FakeDial[] = []
  const links: FakeLink[] = []
  const complete: Request[] = []
  const uploading: Request[] = []
  const held = new Set<Request>()
  const outcomes = new Map<number, 'served' | 'refused' | 'given-up'>()
  let requests = 0
  let repeats = 0
  const leases = new Leases<FakeLink>(openPool(), limit)

  for (let step = 0; step < steps; step += 1) {
    const ride = pick([...held])
    switch (Math.floor(next() * 11)) {
      case 0:
      case 1:
      case 2:
        arrive(next() < 0.5 ? 'arriving' : 'complete')
        break
      case 3:
        dialEnds(next() < 0.7 ? 'stands' : 'refused')
        break
      case 4:
        bodyArrives()
        break
      case 5:
        if (ride !== undefined) endRequest(ride, 'reusable')
        break
      case 6:
        if (ride !== undefined) endRequest(ride, 'broken')
        break
      case 7:
        giveUp()
        break
      case 8:
        reset()
        break
      case 9:
        for (const each of links.filter(({ state }) => state === 'closing')) closes(each)
        break
      case 10:
        if (next() < 0.2) reload()
    }
    check(`step ${step}`)
  }
  for (let round = 0; leases.inFlight > 0; round += 1) {
    if (round > 1_000) throw new Error('requests are left that nothing moves')
    dialEnds('stands')
    for (const each of [...held]) endRequest(each, 'reusable')
    for (const link of links.filter(({ state }) => state === 'closing')) closes(link)
    bodyArrives()
    check('the end')
  }
  const ended = leases.close()
  while (dials.length > 0) dialEnds('refused')
  for (const link of [...links]) closes(link)
  await ended
  if (outcomes.size !== requests) throw new Error(`${requests} requests, ${outcomes.size} outcomes`)

  function openPool(): Dial<FakeLink> {
    const by: Dial<FakeLink> = (onOpen, onFailure) => {
      const dial: FakeDial = { by, onOpen, onFailure, state: 'open', begun: requests + repeats }
      dials.push(dial)
      return {
        cancel: () => {
          dial.state = 'cancelled'
        },
      }
    }
    return by
  }

  function arrive(stage: Stage): void {
    const id = requests
    const exchange = { unsentOctets: 0, revoke: () => {} }
    const lease = leases.admit(exchange, leases.pool, stage, Number.POSITIVE_INFINITY)
    if (lease === undefined) throw new Error('not admitted')
    requests += 1
    const sent = requests + repeats
    const request: Request = { id, rank: id, sent, since: 0, stage, lease, link: undefined }
    queueOf(stage).push(request)
    const fate = leases.enqueue(lease, {
      onConnection: (link) => boards(request, link),
      onDialFailure: () => {
        drop(request)
        end(request, 'refused')
      },
    })
    if (fate === 'queued') return
    const isFull = complete.length + uploading.length > 4 * limit
    if (!isFull && (stage === 'complete' || uploading.length <= threeQuarters(4 * limit)))
      throw new Error(`request ${id} may wait`)
    drop(request)
    end(request, 'refused')
    leases.end(lease)
  }

  /** A request gets a connection: it must be its turn, and the connection must be free. */
  function boards(request: Request, link: FakeLink): void {
    const { id, stage, lease } = request
    if (link.state !== 'open') throw new Error(`request ${id} got a connection that is ${link.state}`)
    if (link.dial.by !== lease.pool.dial) throw new Error(`request ${id} got another config's connection`)
    for (const other of held) if (other.link === link) throw new Error('two on one connection')
    const left = (queue: Request[]) => queue.filter((each) => each.lease.state !== 'over').sort(byRank)
    const others = [...left(complete), ...left(uploading).slice(0, Math.max(0, uploadsLeft()))]
    const first = left(
      others.filter((each) => each.lease.pool === lease.pool && each.since <= link.dial.begun),
    )[0]
    if (first !== request) throw new Error(`request ${id} overtook ${first?.id}`)
    if (stage === 'arriving' && uploadsLeft() <= 0) throw new Error('too many uploads')
    drop(request)
    request.link = link
    held.add(request)
    if (held.size > heldCeiling) throw new Error(`${held.size} leases, limit ${limit}`)
  }

  function dialEnds(how: 'stands' | 'refused'): void {
    const dial = dials.shift()
    if (dial === undefined) return
    if (how === 'refused' || dial.state === 'cancelled') {
      const before = new Map(outcomes)
      const waiting = [...complete, ...uploading]
      dial.onFailure(new Error('refused'))
      const failed = [...outcomes.keys()].filter((id) => !before.has(id))
      if (failed.length > 1) throw new Error(`requests ${failed} failed for one attempt`)
      if (waiting.some(({ id, sent }) => failed.includes(id) && sent > dial.begun))
        throw new Error(`request ${failed} failed for an attempt that began before it came`)
      return
    }
    const link = new FakeLink(dial)
    links.push(link)
    dial.onOpen(link)
  }

  function bodyArrives(): void {
    const request = pick([...uploading, ...[...held].filter(({ stage }) => stage === 'arriving')])
    if (request === undefined) return
    if (!held.has(request)) {
      drop(request)
      complete.push(request)
    }
    request.stage = 'complete'
    leases.complete(request.lease)
  }

  function endRequest(request: Request, how: 'reusable' | 'broken'): void {
    const { link, lease } = request
    if (link === undefined || !held.delete(request)) return
    request.link = undefined
    if (how === 'broken' && next() < 0.4) {
      // It broke before a single octet was sent, or the one retry is due.
      link.destroy()
      repeats += 1
      request.rank = -repeats
      request.sent = requests + repeats
      request.since = request.sent
      queueOf(request.stage).push(request)
      return leases.retake(lease)
    }
    end(request, 'served')
    leases.end(lease)
    if (how === 'broken') link.destroy()
    else if (link.state === 'open') leases.free(link)
  }

  function giveUp(): void {
    const request = pick([...complete, ...uploading, ...held])
    if (request === undefined) return
    held.delete(request)
    drop(request)
    end(request, 'given-up')
    request.link?.destroy()
    leases.end(request.lease)
  }

  /** The service closes a connection, whatever is on it. */
  function reset(): void {
    const link = pick(links.filter(({ state }) => state === 'open'))
    if (link === undefined) return
    const ride = [...held].find((each) => each.link === link)
    link.destroy()
    closes(link)
    if (ride !== undefined) endRequest(ride, 'broken')
  }

  function closes(link: FakeLink): void {
    link.state = 'closed'
    links.splice(links.indexOf(link), 1)
    leases.closed(link)
  }

  function reload(): void {
    limit = 1 + Math.floor(next() * 8)
    ceiling = Math.max(limit, links.length + dials.length)
    heldCeiling = Math.max(limit, held.size)
    leases.replace(openPool(), limit)
  }

  function check(when: string): void {
    const fail = (what: string) => {
      throw new Error(`${when}: ${what}`)
    }
    const alive = links.length + dials.length
    if (alive > ceiling) fail(`${alive} connections, limit ${limit}`)
    ceiling = Math.max(limit, Math.min(ceiling, alive))
    heldCeiling = Math.max(limit, Math.min(heldCeiling, held.size))
    if (leases.waiting !== complete.length + uploading.length) fail('the queues differ')
    if (leases.inFlight !== leases.waiting + held.size) fail('the numbers in flight differ')
    const left = limit - held.size
    const isIdle = (link: FakeLink) => link.state === 'open' && ![...held].some((each) => each.link === link)
    const isCurrent = complete.every(({ lease }) => lease.pool === leases.pool)
    const first = complete.toSorted(byRank).slice(0, Math.max(0, left))
    if (
      isCurrent &&
      first.some(({ since }) => links.some((link) => isIdle(link) && link.dial.begun >= since))
    )
      fail('a complete request waits beside an idle connection')
    const eligible = Math.min(left, complete.length)
    if (eligible > dials.length && alive < limit)
      fail('a complete request waits and no connection is being opened')
  }

  function queueOf(stage: Stage): Request[] {
    return stage === 'complete' ? complete : uploading
  }

  function drop(request: Request): void {
    for (const queue of [complete, uploading])
      if (queue.includes(request)) queue.splice(queue.indexOf(request), 1)
  }

  function end({ id }: Request, how: 'served' | 'refused' | 'given-up'): void {
    if (outcomes.has(id)) throw new Error(`request ${id} ended twice`)
    outcomes.set(id, how)
  }

  function uploadsLeft(): number {
    return threeQuarters(limit) - [...held].filter(({ stage }) => stage === 'arriving').length
  }
}

function byRank(a: Request, b: Request): number {
  return a.rank - b.rank
}

function threeQuarters(of: number): number {
  return Math.max(1, Math.floor((of * 3) / 4))
}

/** Numbers from 0 to 1 that are the same for a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
