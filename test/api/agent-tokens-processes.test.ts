import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { AgentReference } from '../../src/api/index.ts'
import { openStandIn } from '../sandbox/support/stand-in.ts'
import { openFolder } from '../support/folder.ts'

const ADA = { agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com', role: 'admin' } as const
const standIn = await openStandIn({ seed: { agents: [ADA] } })

/** Four processes of the built package, which share a folder and nothing else, against the stand-in's clock. */
describe('agent tokens of four processes', async () => {
  const startMs = Date.UTC(2030, 0, 1)
  const ada = { agent_id: 7 }
  let nowMs = startMs
  const { sandbox, call } = standIn
  const folder = openFolder()
  const script = fileURLToPath(new URL('./support/token-process.mjs', import.meta.url))
  const processes = Array.from({ length: 4 }, () =>
    fork(script, [`${sandbox.url}/v2`, join(folder, 'tokens')]),
  )
  await Promise.all(processes.map((each) => once(each, 'message')))
  afterAll(async () => {
    for (const each of processes) {
      const ended = once(each, 'exit')
      each.kill()
      await ended
    }
  })
  beforeEach(async () => {
    await rm(join(folder, 'tokens'), { recursive: true, force: true })
    nowMs = startMs
    await advance(0)
  })

  const advance = async (seconds: number) => {
    nowMs += seconds * 1000
    await call('POST /_sandbox/clock', { body: { now: new Date(nowMs).toISOString(), frozen: true } })
  }
  /** All at once; and the bodies of the calls for tokens that it took. */
  const askAll = async (agent: AgentReference, rejected?: string) => {
    const before = await tokenCalls()
    const answers = await Promise.all(
      processes.map(async (each) => {
        const answered = once(each, 'message')
        each.send({ nowMs, agent, rejected })
        return (await answered)[0] as { readonly token?: string; readonly kind?: string }
      }),
    )
    return { answers, calls: (await tokenCalls()).slice(before.length) }
  }
  const tokenCalls = async (): Promise<readonly object[]> =>
    (await call('GET /_sandbox/requests')).json.requests
      .filter(({ path }: { path: string }) => path === '/v2/agents/access-token/')
      .map(({ body }: { body: object }) => body)
  const isActive = async (token: string) =>
    (await call('POST /_sandbox/agent-token', { body: { agent_token: token } })).json.active
  /** The one token that all four gave. */
  const same = ({ answers }: Awaited<ReturnType<typeof askAll>>): string => {
    const given = new Set(answers.map(({ token }) => token))
    expect([given.size, [...given][0]]).toEqual([1, expect.any(String)])
    return [...given][0] ?? ''
  }

  it('are one token, requested once, and renewed once before it expires', async () => {
    const first = await askAll(ada)
    expect(first.calls).toEqual([{ agent_id: 7 }])
    const token = same(first)
    await advance(86_400 - 300)
    const later = await askAll(ada)
    expect([same(later), later.calls]).toEqual([token, []])
    await advance(10)
    const renewed = await askAll(ada)
    expect(renewed.calls).toEqual([{ agent_id: 7 }])
    expect(same(renewed)).not.toBe(token)
    expect(await Promise.all([token, same(renewed)].map(isActive))).toEqual([false, true])
    await advance(86_400 * 3)
    expect(await isActive(same(await askAll(ada)))).toBe(true)
  })

  it('are replaced once, whichever process asks', async () => {
    const token = same(await askAll(ada))
    const replaced = await askAll(ada, token)
    expect(replaced.calls).toEqual([{ agent_id: 7, force_new: true }])
    expect(same(replaced)).not.toBe(token)
    expect(await isActive(same(replaced))).toBe(true)
    const late = await askAll(ada, token)
    expect([same(late), late.calls]).toEqual([same(replaced), []])
    expect(same(await askAll(ada))).toBe(same(replaced))
  })

  it('are replaced once even if the folder was lost', async () => {
    const token = same(await askAll(ada))
    await rm(join(folder, 'tokens'), { recursive: true })
    const replaced = await askAll(ada, token)
    expect(replaced.calls.filter((body) => 'force_new' in body)).toHaveLength(1)
    expect(await isActive(same(replaced))).toBe(true)
  })

  it('are the same by id and by address, for an agent that is created', async () => {
    const bo = { email: 'bo@example.com', name: 'Bo' }
    const token = same(await askAll(bo))
    const agents: readonly { readonly agent_id: number; readonly agent_email: string }[] = (
      await call('GET /agents/')
    ).json
    const made = agents.filter(({ agent_email }) => agent_email === bo.email)
    expect(made).toHaveLength(1)
    const agent_id = made[0]?.agent_id ?? 0
    expect(same(await askAll({ agent_id }))).toBe(token)
    await call(`DELETE /agents/${agent_id}/`)
    await advance(86_400)
    expect((await askAll({ agent_id })).answers).toEqual(
      processes.map(() => ({ name: 'AgentTokenError', kind: 'agent-gone' })),
    )
    expect(await isActive(same(await askAll(bo)))).toBe(true)
  })

  it('are gone with their agent', async () => {
    const token = same(await askAll(ada))
    await call('DELETE /agents/7/')
    const gone = processes.map(() => ({ name: 'AgentTokenError', kind: 'agent-gone' }))
    expect((await askAll(ada, token)).answers).toEqual(gone)
    expect((await askAll(ada)).answers).toEqual(gone)
  })

  it('are stored readable by their owner only, and requested again if damaged', async () => {
    const token = same(await askAll(ada))
    const [file = '', ...others] = await readdir(join(folder, 'tokens'))
    expect(others).toEqual([])
    const path = join(folder, 'tokens', file)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toContain(token)
    for (const damaged of ['', '{', 'null', '{"agent_token":7}']) {
      await writeFile(path, damaged)
      expect(same(await askAll(ada))).toBe(token)
    }
  })
})
