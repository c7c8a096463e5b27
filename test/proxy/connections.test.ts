import { expect, it } from 'vitest'
import { Allowance } from '../../src/proxy/allowance.ts'
import { Connections } from '../../src/proxy/connections.ts'
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
