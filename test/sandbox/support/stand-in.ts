import { afterAll, beforeEach } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { type Call, callsOf } from './call.ts'

/** Starts a stand-in for the tests of one file: no rate limit, and reset before each of them. */
export async function openStandIn(
  options: SandboxOptions = {},
): Promise<{ readonly sandbox: Sandbox; readonly call: Call }> {
  const sandbox = await startSandbox({ rateLimit: 'off', ...options })
  const call = callsOf(sandbox.url)
  afterAll(() => sandbox.close())
  beforeEach(async () => {
    await call('POST /_sandbox/reset')
  })
  return { sandbox, call }
}

/** When the clock of a stand-in stands still at the start of each test. */
export const START = '2030-01-01T00:00:00.000000Z'

/** The same with a clock that only `advance` moves. */
export async function openFrozenStandIn(options: SandboxOptions = {}) {
  const { sandbox, call } = await openStandIn(options)
  beforeEach(async () => {
    await call('POST /_sandbox/clock', { body: { now: START, frozen: true } })
  })
  const advance = (seconds: number) => call('POST /_sandbox/clock', { body: { advanceMs: seconds * 1000 } })
  return { sandbox, call, advance }
}
