import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  AgentTokenError,
  type AgentTokenStore,
  ApiError,
  createAgentTokens,
  createClient,
  memoryTokenStore,
} from '../../src/api/index.ts'
import { until } from '../support/until.ts'
import { type Respond, startStub } from './support/stub-service.ts'

const MARK = 'marked-token-4711'
const day = 86_400
const answer = (agent_token: string, expires_in = day) => ({
  body: { user_created: false, agent_token, expires_in, agent_id: 7, agent_role: 'agent' },
})

async function open(answers: readonly Respond[], store?: AgentTokenStore) {
  const { baseUrl, arrivals } = await startStub(...answers)
  const client = createClient({ baseUrl, apiKey: 'demo-api-key', retries: 0 })
  const time = { nowMs: 1_000_000 }
  const tokens = createAgentTokens(client, { store, nowMs: () => time.nowMs })
  return { tokens, arrivals, time, client }
}

/** A store on another machine, whose clock decides when a value expires. */
function timedStore(time: { readonly nowMs: number }): AgentTokenStore {
  const values = new Map<string, { readonly value: string; readonly untilMs: number }>()
  const get = (key: string) => {
    const kept = values.get(key)
    return kept !== undefined && kept.untilMs > time.nowMs ? kept.value : undefined
  }
  return {
    ...memoryTokenStore(),
    get: async (key) => get(key),
    set: async (key, value, lifetimeMs) => values.set(key, { value, untilMs: time.nowMs + lifetimeMs }),
    delete: async (key) => values.delete(key),
  }
}

const fail = (kind: 'throws' | 'rejects', error: unknown) => (): Promise<never> => {
  if (kind === 'throws') throw error
  return Promise.reject(error)
}

describe('a token', () => {
  it('is requested once, however many callers want it', async () => {
    const { tokens, arrivals } = await open([answer('one')])
    const given = await Promise.all(Array.from({ length: 10 }, () => tokens.get({ agent_id: 7 })))
    expect(new Set(given.map(({ agent_token }) => agent_token))).toEqual(new Set(['one']))
    const token = { agent_token: 'one', agent_id: 7, agent_role: 'agent', expiresAtMs: 87_400_000 }
    expect(given[0]).toEqual(token)
    expect(arrivals.map(({ body }) => body)).toEqual([{ agent_id: 7 }])
  })

  it.each([
    ['is kept while the service would keep it', day - 300, 1],
    ['is renewed when under 5 minutes are left', day - 294, 2],
    ['is renewed when it has ended', day, 2],
  ])('%s', async (_what, seconds, calls) => {
    const { tokens, arrivals, time } = await open([answer('one'), answer('two')])
    await tokens.get({ agent_id: 7 })
    time.nowMs += seconds * 1000
    expect((await tokens.get({ agent_id: 7 })).agent_token).toBe(calls === 1 ? 'one' : 'two')
    expect(arrivals).toHaveLength(calls)
  })

  it('is not requested each time when the service’s clock is behind', async () => {
    const { tokens, arrivals, time } = await open([answer('one', 290), answer('one', 285), answer('two')])
    for (const _turn of [1, 2, 3]) await tokens.get({ agent_id: 7 })
    expect(arrivals).toHaveLength(1)
    time.nowMs += 10_000
    for (const _turn of [1, 2, 3]) await tokens.get({ agent_id: 7 })
    expect(arrivals).toHaveLength(2)
    time.nowMs += 10_000
    expect((await tokens.get({ agent_id: 7 })).agent_token).toBe('two')
  })

  it.each([
    ['an hour behind', -3_600_000],
    ['ten minutes behind', -600_000],
    ['as it is', 0],
    ['ten minutes ahead', 600_000],
    ['an hour ahead', 3_600_000],
  ])('is renewed in time by a process whose clock is %s', async (_what, offMs) => {
    const clock = { nowMs: 1_000_000 }
    const store = timedStore(clock)
    const left = () => ({ body: { ...answer('one').body, expires_in: (87_400_000 - clock.nowMs) / 1000 } })
    const now = () => (clock.nowMs > 87_100_000 ? answer('two') : left())
    const { tokens, time, arrivals, client } = await open([now], store)
    const other = createAgentTokens(client, { store, nowMs: () => clock.nowMs + offMs })
    const given = async () => {
      time.nowMs = clock.nowMs
      return [(await tokens.get({ agent_id: 7 })).agent_token, (await other.get({ agent_id: 7 })).agent_token]
    }
    expect(await given()).toEqual(['one', 'one'])
    clock.nowMs = 87_100_000
    expect(await given()).toEqual(['one', 'one'])
    clock.nowMs += 11_000
    expect((await other.get({ agent_id: 7 })).agent_token).toBe('two')
    expect(await given()).toEqual(['two', 'two'])
    if (offMs <= 0) expect(arrivals).toHaveLength(2)
  })

  it('of one agent is not another’s', async () => {
    const ofAsked: Respond = ({ body }) => {
      const { agent_id } = body as { readonly agent_id: number }
      return { body: { ...answer(`token-${agent_id}`).body, agent_id } }
    }
    const { tokens, arrivals } = await open([ofAsked])
    const given = await Promise.all([7, 8, 7].map((agent_id) => tokens.get({ agent_id })))
    expect(given.map(({ agent_token }) => agent_token)).toEqual(['token-7', 'token-8', 'token-7'])
    expect(arrivals).toHaveLength(2)
  })

  it('by address sends the role too', async () => {
    const { tokens, arrivals } = await open([answer('one')])
    const bo = { email: 'bo@example.com', name: 'Bo', role: 'manager' } as const
    await tokens.get(bo)
    await tokens.get(bo)
    expect(arrivals.map(({ body }) => body)).toEqual([bo, { agent_id: 7 }])
  })
})

describe('what goes wrong', () => {
  const leaky = Object.assign(new Error(`SET ${MARK}`), { code: 'ECONNREFUSED', command: [MARK] })

  it.each([
    ['get', 'throws'],
    ['set', 'rejects'],
    ['exclusive', 'throws'],
    ['exclusive', 'rejects'],
  ] as const)('a store whose %s %s', async (method, kind) => {
    const { tokens } = await open([answer(MARK)], { ...memoryTokenStore(), [method]: fail(kind, leaky) })
    const error = await tokens.get({ agent_id: 7 }).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(AgentTokenError)
    expect(error).toMatchObject({ kind: 'store', message: expect.stringContaining('(ECONNREFUSED)') })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(MARK)
  })

  it('a store that fails once loses nothing', async () => {
    const store = memoryTokenStore()
    let isDown = true
    const { tokens } = await open([answer('one')], {
      ...store,
      set: (...words) => (isDown ? Promise.reject(new Error('down')) : store.set(...words)),
    })
    await expect(tokens.get({ agent_id: 7 })).rejects.toMatchObject({ kind: 'store' })
    isDown = false
    expect((await tokens.get({ agent_id: 7 })).agent_token).toBe('one')
  })

  it('an agent is gone, and its token is deleted', async () => {
    const gone = { status: 404, body: { errors: { agent_id: [`no agent ${MARK}`] } } }
    const store = memoryTokenStore()
    const { tokens } = await open([answer(MARK), gone], store)
    await tokens.get({ agent_id: 7 })
    const error = await tokens.renew({ agent_id: 7 }, MARK).catch((each: unknown) => each)
    expect(error).toMatchObject({ name: 'AgentTokenError', kind: 'agent-gone' })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(MARK)
    await expect(tokens.get({ agent_id: 7 })).rejects.toMatchObject({ kind: 'agent-gone' })
  })

  it('the service fails, and its own error is thrown', async () => {
    const { tokens } = await open([{ status: 500 }, answer('one')])
    await expect(tokens.get({ agent_id: 7 })).rejects.toMatchObject({ name: 'ApiError', kind: 'failed' })
    expect((await tokens.get({ agent_id: 7 })).agent_token).toBe('one')
  })

  it('a caller who gives up leaves the others their token', async () => {
    let release = () => {}
    const { tokens, arrivals } = await open([
      (_arrival, outgoing) => {
        release = () => void outgoing.writeHead(200).end(JSON.stringify(answer('one').body))
        return undefined
      },
    ])
    const abort = new AbortController()
    const given = tokens.get({ agent_id: 7 })
    const givenUp = tokens.get({ agent_id: 7 }, { signal: abort.signal })
    abort.abort()
    const error = await givenUp.catch((each: unknown) => each)
    expect([error instanceof ApiError, error]).toMatchObject([true, { kind: 'aborted' }])
    await until(() => arrivals.length > 0)
    release()
    expect((await given).agent_token).toBe('one')
    await expect(tokens.get({ agent_id: 7 }, { signal: abort.signal })).rejects.toMatchObject({
      kind: 'aborted',
    })
  })
})
