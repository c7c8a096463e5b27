import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

// Loaded into the built program, so that its clock is that of the stand-in, whose controls are at CLOCK: what waits a
// minute there waits until the test has moved the clock by a minute.
const real = { now: Date.now, sleep: timers.setTimeout }
let aheadMs = 0
const follow = async () => {
  const { now } = await (await fetch(process.env.CLOCK)).json()
  aheadMs = Date.parse(now) - real.now()
}
await follow()
Date.now = () => real.now() + aheadMs
timers.setTimeout = async (ms, value, options) => {
  const untilMs = Date.now() + ms
  while (Date.now() < untilMs) {
    await real.sleep(10, undefined, options)
    await follow()
  }
  return value
}
syncBuiltinESMExports()
