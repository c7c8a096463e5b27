import { describe, expect, it } from 'vitest'
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { freshPin } from '../../../src/sandbox/state/service.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { callsOf } from '../support/call.ts'

const url = 'https://www.example.com/'

async function open(options: SandboxOptions = {}) {
  const sandbox = await openForTest(startSandbox({ rateLimit: 'off', ...options }))
  return { sandbox, call: callsOf(sandbox.url) }
}

describe('the stand-in keeps 1000 sessions', () => {
  it('of the ended ones, the one that started longest ago makes room for a new one', async () => {
    const running = { start_url: `${url}running`, start_time: Date.UTC(2001, 0, 1) }
    const ended = Array.from({ length: 999 }, (_, index) => ({
      start_url: `${url}${index}`,
      // The first of the list is not the oldest.
      start_time: Date.UTC(2010, 0, 1) + ((index + 500) % 999) * 1000,
      duration: 1,
    }))
    const { call } = await open({ seed: { sessions: [running, ...ended], pageSize: 1 } })
    const urlsOf = async (query: string) =>
      (await call(`GET /history/?${query}`)).json.results.map((each: { start_url: string }) => each.start_url)
    expect(await urlsOf('page=1000')).toEqual([running.start_url])
    expect(await urlsOf('page=999')).toEqual([`${url}499`])
    await call('POST /sessions/', { body: { url: `${url}new` } })
    expect(await urlsOf('page=1')).toEqual([`${url}new`])
    expect(await urlsOf('page=1000')).toEqual([running.start_url])
    expect(await urlsOf('page=999')).toEqual([`${url}500`])
    expect((await call('GET /history/?page=1001')).status).toBe(404)
  })
})

it.each(['0000', '4711', '9999'])('a PIN is one that is free, even if that is only %s', (free) => {
  expect(freshPin((pin) => pin !== free)).toBe(free)
})

it.each(['PATCH', 'POST'])(
  '%s is refused with options that are deep or many, and others go on',
  async (method) => {
    const { call } = await open()
    for (const body of [`{"x":${'['.repeat(9e3)}${']'.repeat(9e3)}}`, { ...Array(1e4).fill(1) }])
      expect((await call(`${method} /company/options/`, { body })).status).toBe(400)
    expect((await call('GET /company/options/')).status).toBe(200)
  },
)
