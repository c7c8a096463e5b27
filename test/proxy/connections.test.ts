import { expect, it } from 'vitest'
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
