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
