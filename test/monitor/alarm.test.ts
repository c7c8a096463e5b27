import { expect, it } from 'vitest'
import { openAlarm } from '../../src/monitor/alarm.ts'

const LONG_MS = 3_600_000

it('ends a wait', async () => {
  const alarm = openAlarm()
  const waited = alarm.wait(LONG_MS)
  alarm.ring()
  await waited
})

it('that rang while nobody waited ends the next wait, and only that one', async () => {
  const alarm = openAlarm()
  alarm.ring()
  alarm.ring()
  await alarm.wait(LONG_MS)
  const second = alarm.wait(LONG_MS).then(() => 'over')
  expect(await Promise.race([second, new Promise((resolve) => setImmediate(resolve, 'waiting'))])).toBe(
    'waiting',
  )
  alarm.ring()
  expect(await second).toBe('over')
})

it('lets a wait end by itself', async () => {
  const alarm = openAlarm()
  await alarm.wait(1)
  await alarm.wait(1)
})
