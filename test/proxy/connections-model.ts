import { Allowance } from '../../src/proxy/allowance.ts'
import { Connections, type Link } from '../../src/proxy/connections.ts'
import { Ticket } from '../../src/proxy/waiting-list.ts'

/*
 * Random schedules of requests, aborts, stalls, refusals, resets and reloads, played on the waiting list and on a model
 * of it that is written down in another way. What differs, or breaks an invariant, throws.
 */

/** Which requests leave connections that may not be reused. */
type Use = 'last' | 'upload'

/** The model: who should be where. Arrays in the order in which connections should go to them. */
interface Model {
  readonly again: number[]
  readonly complete: number[]
  readonly uploading: number[]
  /** Complete, and may use up their connection. */
  readonly last: number[]
  wasLast: boolean
  /** Connections that those closed while others waited, and for which none was opened yet. */
  readonly closedBy: Record<Use, number>
  /** Requests on a connection, and whether they count as uploads. */
  readonly connected: Map<number, { link: FakeLink; kind: 'upload' | 'complete' }>
  /** Those whose body is still arriving and that got a connection: they stay uploads when they need another one. */
  readonly uploads: Set<number>
  /** How each request ended; once. */
  readonly ended: Map<number, 'served' | 'refused' | 'given-up'>
}

class FakeLink implements Link {
  state: 'open' | 'closing' | 'closed' = 'open'
  /** What the request on it, or its last one, was when it got it. */
  use: Use | undefined
  destroy(): void {
    if (this.state === 'open') this.state = 'closing'
  }
}

interface FakeDial {
  state: 'open' | 'cancelled'
  /** How many requests there had been when it began. */
  readonly requestsBefore: number
  /** Whether it is in place of one that was used up. */
  readonly isFor: Use | undefined
  readonly onOpen: (link: FakeLink) => void
  readonly onFailure: (error: Error) => void
}

/** One config's connections; a reload makes another. */
interface Generation {
  readonly connections: Connections<FakeLink>
  readonly model: Model
  readonly dials: FakeDial[]
  readonly links: FakeLink[]
  readonly tickets: Map<number, Ticket<FakeLink>>
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
  /** A limit that became smaller holds for what is opened from then on. */
  let ceiling = limit
  const allowance = new Allowance(limit)
  const generations: Generation[] = [openGeneration()]
  let requests = 0

  for (let step = 0; step < steps; step += 1) {
    const current = generations.at(-1) as Generation
    const any = pick(generations) as Generation
    const link = pick(any.links.filter(({ state }) => state === 'open'))
    const ride = pick([...any.model.connected.keys()])
    switch (Math.floor(next() * 11)) {
      case 0:
      case 1:
      case 2:
        arrive(current, next() < 0.5 ? 'uploading' : 'complete', next() < 0.3)
        break
      case 3:
        dialEnds(any, next() < 0.7 ? 'stands' : 'refused')
        break
      case 4:
        bodyArrives(any)
        break
      case 5:
        if (ride !== undefined) endRequest(any, ride, 'reusable')
        break
      case 6:
        if (ride !== undefined) endRequest(any, ride, 'broken')
        break
      case 7:
        giveUp(any)
        break
      case 8:
        if (link !== undefined) reset(any, link)
        break
      case 9:
        for (const each of any.links.filter(({ state }) => state === 'closing')) closes(any, each)
        break
      case 10:
        if (next() < 0.2) reload()
    }
    check(`step ${step}`)
  }
  for (let round = 0; busy(); round += 1) {
    if (round > 1_000) throw new Error('requests are left that nothing moves')
    for (const each of generations) {
      dialEnds(each, 'stands')
      for (const ride of [...each.model.connected.keys()]) endRequest(each, ride, 'reusable')
      for (const link of each.links.filter(({ state }) => state === 'closing')) closes(each, link)
      bodyArrives(each)
    }
    check('the end')
  }
  const ended = generations.map(({ connections }) => connections.close())
  for (const each of generations) {
    while (each.dials.length > 0) dialEnds(each, 'refused')
    for (const link of [...each.links]) closes(each, link)
  }
  await Promise.all(ended)
  const outcomes = generations.reduce((sum, { model }) => sum + model.ended.size, 0)
  if (outcomes !== requests) throw new Error(`${requests} requests, ${outcomes} outcomes`)
  if (allowance.open !== 0) throw new Error(`${allowance.open} connections are still counted`)
  if (allowance.uploadVacancies !== mostUploads()) throw new Error('an upload is still counted')

  function openGeneration(): Generation {
    const model: Model = {
      again: [],
      complete: [],
      uploading: [],
      last: [],
      wasLast: false,
      closedBy: { last: 0, upload: 0 },
      connected: new Map(),
      uploads: new Set(),
      ended: new Map(),
    }
    const dials: FakeDial[] = []
    const connections = new Connections<FakeLink>((onOpen, onFailure) => {
      const isFor = (['last', 'upload'] as const).find((use) => model.closedBy[use] > 0)
      if (isFor !== undefined) model.closedBy[isFor] -= 1
      const dial: FakeDial = { onOpen, onFailure, state: 'open', requestsBefore: requests, isFor }
      dials.push(dial)
      return {
        cancel: () => {
          dial.state = 'cancelled'
        },
      }
    }, allowance)
    return { connections, model, dials, links: [], tickets: new Map() }
  }

  function arrive(generation: Generation, stage: 'uploading' | 'complete', mayUseUp: boolean): void {
    const { connections, model, tickets } = generation
    const id = requests
    requests += 1
    const ticket = new Ticket<FakeLink>(
      {
        onConnection: (link) => boards(generation, id, link),
        onDialFailure: () => {
          drop(model, id)
          end(model, id, 'refused')
        },
      },
      stage,
      mayUseUp,
    )
    tickets.set(id, ticket)
    if (connections.waiting === 0) Object.assign(model.closedBy, { last: 0, upload: 0 })
    model[lineOf(ticket)].push(id)
    connections.join(ticket)
  }

  /** A request gets a connection: it must be its turn, and the connection must be free. */
  function boards(generation: Generation, id: number, link: FakeLink): void {
    const { model, tickets } = generation
    const ticket = tickets.get(id) as Ticket<FakeLink>
    const kind = ticket.stage === 'uploading' ? 'upload' : 'complete'
    if (link.state !== 'open') throw new Error(`request ${id} got a connection that is ${link.state}`)
    for (const other of model.connected.values())
      if (other.link === link) throw new Error('two on one connection')
    const line = model.again.includes(id) ? model.again : model[lineOf(ticket)]
    if (line[0] !== id) throw new Error(`request ${id} overtook ${line[0]}`)
    if (model.again.length > 0 && line !== model.again) throw new Error('a repeated request was overtaken')
    if (line !== model.again) {
      const other =
        line === model.uploading
          ? model.complete[0]
          : uploadsMayStart(generation)
            ? model.uploading[0]
            : undefined
      if (line !== model.last && other !== undefined && other < id)
        throw new Error(`request ${id} went before ${other} of the other line`)
      if (line === model.last && !lastMayStart(generation)) throw new Error(`request ${id} had no share`)
      const last = lastMayStart(generation) ? model.last[0] : undefined
      const hasOther = (line === model.last ? (other ?? model.complete[0]) : last) !== undefined
      if (hasOther && model.wasLast === (line === model.last))
        throw new Error(`request ${id} went out of turn`)
    }
    if (kind === 'upload' && !model.uploads.has(id) && !uploadsMayStart(generation))
      throw new Error('too many uploads')
    const open = generations.flatMap(({ links }) => links).filter(({ state }) => state === 'open').length
    if (open > limit) throw new Error(`a connection beyond the limit of ${limit} is used again`)
    line.shift()
    model.wasLast = line === model.last
    if (ticket.mayUseUp) link.use = kind === 'upload' ? 'upload' : 'last'
    model.connected.set(id, { link, kind })
    if (kind === 'upload') model.uploads.add(id)
  }

  function dialEnds(generation: Generation, how: 'stands' | 'refused'): void {
    const { dials, links, model } = generation
    const dial = dials.shift()
    if (dial === undefined) return
    if (how === 'refused' || dial.state === 'cancelled') {
      const expected = firstOf(generation)
      const failing = expected !== undefined && expected < dial.requestsBefore ? expected : undefined
      // Its place goes to another before it is told.
      if (failing !== undefined) model.uploads.delete(failing)
      dial.onFailure(new Error('refused'))
      if (failing !== undefined && model.ended.get(failing) !== 'refused')
        throw new Error(`request ${failing} was not told that its connection was refused`)
      if (failing === undefined && expected !== undefined && model.ended.has(expected))
        throw new Error(`request ${expected} failed for an attempt that began before it came`)
      return
    }
    const link = new FakeLink()
    links.push(link)
    dial.onOpen(link)
  }

  function bodyArrives({ connections, model, tickets }: Generation): void {
    const connected = [...model.connected].filter(([, { kind }]) => kind === 'upload').map(([id]) => id)
    const id = pick([...model.uploading, ...connected])
    const ticket = id === undefined ? undefined : tickets.get(id)
    if (id === undefined || ticket === undefined) return
    const ride = model.connected.get(id)
    model.uploads.delete(id)
    if (ride !== undefined) ride.kind = 'complete'
    else {
      model.uploading.splice(model.uploading.indexOf(id), 1)
      model[lineOf({ stage: 'complete', mayUseUp: ticket.mayUseUp })].push(id)
    }
    connections.complete(ticket)
  }

  function endRequest(
    { connections, model, tickets }: Generation,
    id: number,
    how: 'reusable' | 'broken',
  ): void {
    const ride = model.connected.get(id)
    const ticket = tickets.get(id)
    if (ride === undefined || ticket === undefined) return
    model.connected.delete(id)
    if (how === 'broken' && next() < 0.4) {
      // It broke before a single octet was sent, or the one retry is due.
      ride.link.destroy()
      model.again.push(id)
      connections.rejoin(ticket)
      return
    }
    model.uploads.delete(id)
    end(model, id, 'served')
    connections.leave(ticket)
    if (how === 'broken') ride.link.destroy()
    else if (ride.link.state === 'open') {
      ride.link.use = undefined
      connections.release(ride.link)
    }
  }

  function giveUp({ connections, model, tickets }: Generation): void {
    const { again, complete, uploading, last, connected } = model
    const id = pick([...again, ...complete, ...uploading, ...last, ...connected.keys()])
    const ticket = id === undefined ? undefined : tickets.get(id)
    if (id === undefined || ticket === undefined) return
    const ride = model.connected.get(id)
    drop(model, id)
    end(model, id, 'given-up')
    ride?.link.destroy()
    connections.leave(ticket)
  }

  /** The service closes a connection, whatever is on it. */
  function reset(generation: Generation, link: FakeLink): void {
    link.destroy()
    closes(generation, link)
    for (const [id, ride] of [...generation.model.connected])
      if (ride.link === link) endRequest(generation, id, 'broken')
  }

  function closes({ connections, links, model }: Generation, link: FakeLink): void {
    link.state = 'closed'
    if (link.use !== undefined) model.closedBy[link.use] += 1
    links.splice(links.indexOf(link), 1)
    connections.closed(link)
  }

  function reload(): void {
    limit = 1 + Math.floor(next() * 8)
    ceiling = Math.max(limit, allowance.open)
    allowance.setLimit(limit)
    const current = generations.at(-1) as Generation
    void current.connections.retire()
    generations.push(openGeneration())
  }

  function check(when: string): void {
    const fail = (what: string) => {
      throw new Error(`${when}: ${what}`)
    }
    const alive = generations.reduce((sum, { links, dials }) => sum + links.length + dials.length, 0)
    if (alive !== allowance.open) fail(`${alive} connections, but ${allowance.open} are counted`)
    if (alive > ceiling) fail(`${alive} connections, limit ${limit}`)
    ceiling = Math.max(limit, Math.min(ceiling, alive))
    for (const generation of generations) {
      const { connections, model, links, dials } = generation
      const { again, complete, uploading, last, connected } = model
      const waiting = [again, complete, uploading, last].reduce((sum, { length }) => sum + length, 0)
      if (connections.waiting !== waiting) fail('the lines differ')
      const isIdle = (link: FakeLink) =>
        link.state === 'open' && ![...connected.values()].some((ride) => ride.link === link)
      const others = again.length + complete.length
      if (others + (lastMayStart(generation) ? last.length : 0) > 0 && links.some(isIdle))
        fail('a complete request waits beside an idle connection')
      const mayUse = mostLast(generation) - links.filter(({ use }) => use === 'last').length
      const eligible = others + Math.max(0, Math.min(last.length, mayUse))
      if (eligible > dials.length && allowance.open < limit)
        fail('a complete request waits and no connection is being opened')
    }
  }

  function mostUploads(): number {
    return Math.max(1, Math.floor((limit * 3) / 4))
  }

  function uploadsMayStart(generation: Generation): boolean {
    const uploads = generations.reduce((sum, { model }) => sum + model.uploads.size, 0)
    return uploads + missing(generation, 'upload') < mostUploads()
  }

  /** Of what uploads leave. */
  function mostLast(generation: Generation): number {
    const uploads = generations.reduce((sum, { model }) => sum + model.uploads.size, 0)
    return Math.max(1, Math.floor(((limit - uploads - missing(generation, 'upload')) * 3) / 4))
  }

  function lastMayStart(generation: Generation): boolean {
    const used = generation.links.filter(({ use }) => use === 'last').length
    return used + missing(generation, 'last') < mostLast(generation)
  }

  /** Which request gets the next connection. */
  function firstOf(generation: Generation): number | undefined {
    const { again, complete, uploading, last, wasLast } = generation.model
    const lines = [complete, uploadsMayStart(generation) ? uploading : []]
    const other = lines.flatMap(([id]) => id ?? []).sort((a, b) => a - b)[0]
    const lastOne = lastMayStart(generation) ? last[0] : undefined
    return again[0] ?? (wasLast ? (other ?? lastOne) : (lastOne ?? other))
  }

  function busy(): boolean {
    return generations.some(({ model, connections }) => connections.waiting > 0 || model.connected.size > 0)
  }
}

function missing({ model, dials }: Generation, use: Use): number {
  return model.closedBy[use] + dials.filter(({ isFor }) => isFor === use).length
}

function lineOf({ stage, mayUseUp }: Pick<Ticket<FakeLink>, 'stage' | 'mayUseUp'>) {
  return stage === 'complete' && mayUseUp ? 'last' : stage
}

function drop(model: Model, id: number): void {
  for (const line of [model.again, model.complete, model.uploading, model.last])
    if (line.includes(id)) line.splice(line.indexOf(id), 1)
  model.connected.delete(id)
  model.uploads.delete(id)
}

function end(model: Model, id: number, how: 'served' | 'refused' | 'given-up'): void {
  if (model.ended.has(id)) throw new Error(`request ${id} ended twice`)
  model.ended.set(id, how)
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
