import { expect, it } from 'vitest'
import { Allowance } from '../../src/proxy/allowance.ts'
import { Connections, type Link } from '../../src/proxy/connections.ts'
import { Ticket } from '../../src/proxy/waiting-list.ts'
import { playSchedule } from './connections-model.ts'

const SCHEDULES = Number(process.env.SCHEDULES ?? 20_000)
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

it.each([
  [1, 2],
  [2, 1],
  [4, 0],
])('with %i connections that are being opened, three requests lack %i', (limit, lacking) => {
  const connections = new Connections(() => ({ cancel: () => {} }), new Allowance(limit))
  for (let i = 0; i < 3; i += 1)
    connections.join(new Ticket({ onConnection: () => {}, onDialFailure: () => {} }, 'complete'))
  expect([connections.waiting, connections.lacking]).toEqual([3, lacking])
})

it.each([
  ['HEAD', 'complete', ['HEAD', 'GET', 'HEAD', 'HEAD']],
  ['POST', 'uploading', ['POST', 'POST', 'POST', 'GET']],
] as const)('of four connections, %s that use them up leave one to others', (crowd, stage, order) => {
  const dials: ((link: Link) => void)[] = []
  const connections: Connections<Link> = new Connections((onOpen) => {
    dials.push(onOpen)
    return { cancel: () => {} }
  }, new Allowance(4))
  const served: string[] = []
  const join = (method: string) => {
    const onConnection = (link: Link) => {
      served.push(method)
      connections.leave(ticket)
      if (method === 'GET') connections.release(link)
      else link.destroy()
    }
    const requester = { onConnection, onDialFailure: () => {} }
    const ticket: Ticket<Link> =
      method === 'GET' ? new Ticket(requester, 'complete') : new Ticket(requester, stage, true)
    connections.join(ticket)
  }
  for (let i = 0; i < 9; i += 1) join(crowd)
  expect(dials).toHaveLength(3)
  join('GET')
  for (const onOpen of dials.splice(0)) {
    const link = { destroy: () => connections.closed(link) }
    onOpen(link)
  }
  expect([...served, dials.length]).toEqual([...order, 3])
  join('GET')
  expect(served.at(-1)).toBe('GET')
})
