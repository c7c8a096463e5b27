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
    await playSchedule(seed, 60)
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

it('requests that use up connections come behind others while new ones are opened in their place', () => {
  const dials: (() => void)[] = []
  const connections: Connections<Link> = new Connections((onOpen) => {
    const link = { destroy: () => connections.closed(link) }
    dials.push(() => onOpen(link))
    return { cancel: () => {} }
  }, new Allowance(4))
  const served: string[] = []
  for (let i = 0; i < 4; i += 1) {
    for (const method of ['HEAD', 'GET']) {
      const onConnection = (link: Link) => {
        served.push(method)
        connections.leave(ticket)
        if (method === 'HEAD') link.destroy()
        else connections.release(link)
      }
      const ticket = new Ticket({ onConnection, onDialFailure: () => {} }, 'complete', method === 'HEAD')
      connections.join(ticket)
    }
  }
  for (let opened = dials.shift(); opened !== undefined; opened = dials.shift()) opened()
  expect(served.join(' ')).toBe('HEAD GET GET GET GET HEAD HEAD HEAD')
})
