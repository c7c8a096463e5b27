import { afterAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { openRateLimit } from '../../../src/sandbox/state/rate-limit.ts'
import { ask } from '../support/ask.ts'
import { callsOf } from '../support/call.ts'

describe('openRateLimit', () => {
  it('says how long to wait after too many calls, by address', () => {
    const limit = openRateLimit(2)
    expect([0, 1, 2, 59_001].map((nowMs) => limit.count('a', nowMs))).toEqual([undefined, undefined, 60, 1])
    expect(limit.count('b', 2)).toBeUndefined()
    expect(limit.count('a', 60_000)).toBeUndefined()
  })

  it('starts over when the clock is set back', () => {
    const limit = openRateLimit(1)
    limit.count('a', 1_000_000)
    expect(limit.count('a', 0)).toBeUndefined()
  })
})

describe('the stand-in', () => {
  const started = startSandbox()
  afterAll(async () => (await started).close())

  it('answers a hundred calls a minute, controls and continuation not counted', async () => {
    const { url } = await started
    const call = callsOf(url)
    await call('POST /_sandbox/clock', { body: { frozen: true } })
    await ask(url, '/service_cookie_transfer/x')
    for (let calls = 0; calls < 100; calls += 1) {
      expect((await call('GET /servers/')).status).toBe(200)
    }
    const refused = await call('GET /servers/')
    expect(refused).toMatchObject({ status: 429, json: { errors: { rate: [expect.any(String)] } } })
    expect(refused.headers['retry-after']).toBe('60')
    expect((await call('GET /_sandbox/requests')).status).toBe(200)
    expect((await ask(url, '/service_cookie_transfer/x')).status).toBe(200)
    await call('POST /_sandbox/clock', { body: { advanceMs: 60_000 } })
    expect((await call('GET /servers/')).status).toBe(200)
  })
})
