import { AgentTokenError, type AgentTokenStore, guard, memoryTokenStore } from './agent-token-store.ts'
import type { AgentRole } from './agents.ts'
import { json } from './answer.ts'
import type { ApiClient } from './client.ts'
import { ApiError } from './errors.ts'
import type { CallOptions } from './request.ts'
import { type Fields, integer, record, text } from './schema.ts'

/** An agent by id; or by e-mail and name, and then the agent is created if there is none. */
export type AgentReference =
  | { readonly agent_id: number }
  | { readonly email: string; readonly name: string; readonly role?: AgentRole | undefined }

const sharedFields = {
  /** Anyone who has it can act as the agent: keep it out of logs. */
  agent_token: text,
  agent_id: integer,
  /** `admin`, `manager` or `agent`. */
  agent_role: text,
  /** When it ends, in milliseconds since the epoch, by the clock of the process that got it from the service. */
  expiresAtMs: integer,
}

/** A token that is valid for at least 5 minutes, unless it is renewed. */
export type SharedAgentToken = Fields<typeof sharedFields>

export interface AgentTokensSettings {
  /** Where the processes share tokens. Default: in this process only. */
  readonly store?: AgentTokenStore | undefined
  /** The time, in milliseconds since the epoch; for tests. */
  readonly nowMs?: (() => number) | undefined
}

/**
 * The tokens of the agents of one account. Ask for a token whenever one is needed, and don't keep it: another process may
 * renew it.
 *
 * A call fails with an `AgentTokenError`, or with the `ApiError` of the service.
 */
export interface AgentTokens {
  /** Returns the agent's token. With less than 5 minutes left it is renewed, once for all processes. */
  get(agent: AgentReference, options?: CallOptions): Promise<SharedAgentToken>
  /**
   * Replaces a token that was refused or leaked, and returns the new one. That invalidates the old one everywhere, so of
   * several processes that pass the same token only the first replaces it; the others get the replacement.
   *
   * @param rejected the `agent_token` to replace
   */
  renew(agent: AgentReference, rejected: string, options?: CallOptions): Promise<SharedAgentToken>
}

/**
 * Shares one token for each agent among all processes that use the same store. The service gives an agent one active
 * token, and generating a new one invalidates the old one (spec 3): uncoordinated processes would invalidate each other's.
 *
 * @example
 * import { createAgentTokens, createClient, fileTokenStore } from 'continuation-point/api'
 *
 * const client = createClient({ baseUrl: 'https://cobrowse.example.net/v2', apiKey: process.env.API_KEY })
 * const tokens = createAgentTokens(client, { store: fileTokenStore('/var/lib/desk/agent-tokens') })
 * const { agent_token } = await tokens.get({ email: 'ada@example.com', name: 'Ada' })
 */
export function createAgentTokens(
  client: Pick<ApiClient, 'agents'>,
  settings: AgentTokensSettings = {},
): AgentTokens {
  const { nowMs = Date.now } = settings
  const store = guard(settings.store ?? memoryTokenStore())
  const underway = new Map<string, Promise<SharedAgentToken>>()

  /** The stored token, unless it is due for renewal. Anything that is not a token counts as missing. */
  const find = async (agentId: number): Promise<SharedAgentToken | undefined> => {
    const kept = json(keptToken)((await store.get(tokenKey(agentId))) ?? '')
    if ('fault' in kept) return undefined
    const { renewAtMs, ...token } = kept.value
    return nowMs() < renewAtMs ? token : undefined
  }
  /** Asks the service and stores its answer. Call it only while holding the agent's key. */
  const refresh = async (agentId: number, how?: { readonly force_new: true }): Promise<SharedAgentToken> => {
    // When the request was sent, so the token never counts as younger than it is.
    const askedMs = nowMs()
    const asked = client.agents.createAccessToken({ agent_id: agentId, ...how })
    const { agent_token, agent_id, agent_role, expires_in } = await asked.catch(async (error: unknown) => {
      if (!(error instanceof ApiError && error.kind === 'not-found')) throw error
      await store.delete(tokenKey(agentId))
      throw new AgentTokenError('agent-gone', `agent ${agentId}`)
    })
    const token = { agent_token, agent_id, agent_role, expiresAtMs: askedMs + expires_in * 1000 }
    const renewAtMs = scheduleRenewal(askedMs, token.expiresAtMs)
    // Until the renewal rather than the end of the token: a process whose clock is behind would use it for too long.
    const lifetimeMs = Math.max(1, renewAtMs - nowMs())
    await store.set(tokenKey(agentId), JSON.stringify({ ...token, renewAtMs }), lifetimeMs)
    return token
  }
  const current = async (agentId: number): Promise<SharedAgentToken> =>
    (await find(agentId)) ??
    store.exclusive(tokenKey(agentId), async () => (await find(agentId)) ?? refresh(agentId))
  const replace = (agentId: number, rejected: string): Promise<SharedAgentToken> =>
    store.exclusive(tokenKey(agentId), async () => {
      const now = (await find(agentId)) ?? (await refresh(agentId))
      return now.agent_token === rejected ? refresh(agentId, { force_new: true }) : now
    })
  /** The id behind an e-mail address. It is stored, so that id and address lead to the same token. */
  const findId = async (agent: AgentReference): Promise<number> => {
    if ('agent_id' in agent) return agent.agent_id
    const { email, name, role } = agent
    const known = Number(await store.get(addressKey(email)))
    if (Number.isSafeInteger(known) && known > 0) return known
    const { agent_id } = await client.agents.createAccessToken({ email, name, role })
    await store.set(addressKey(email), String(agent_id), ID_LIFETIME_MS)
    return agent_id
  }
  const reach = async (agent: AgentReference, work: (agentId: number) => Promise<SharedAgentToken>) => {
    try {
      return await work(await findId(agent))
    } catch (error) {
      const isGone = error instanceof AgentTokenError && error.kind === 'agent-gone'
      if (!isGone || 'agent_id' in agent) throw error
      // The agent was deleted. Asked by e-mail address, the service creates it again.
      await store.delete(addressKey(agent.email))
      return work(await findId(agent))
    }
  }
  /** Concurrent calls for the same thing share one run. */
  const once = (name: string, { signal }: CallOptions, work: () => Promise<SharedAgentToken>) => {
    const running = underway.get(name) ?? work().finally(() => underway.delete(name))
    underway.set(name, running)
    return unlessAborted(running, signal)
  }
  return {
    get: (agent, options = {}) => once(`get ${nameAgent(agent)}`, options, () => reach(agent, current)),
    renew: (agent, rejected, options = {}) =>
      once(`renew ${rejected} ${nameAgent(agent)}`, options, () =>
        reach(agent, (id) => replace(id, rejected)),
      ),
  }
}

function nameAgent(agent: AgentReference): string {
  return JSON.stringify('agent_id' in agent ? [agent.agent_id] : [agent.email, agent.name, agent.role])
}

function tokenKey(agentId: number): string {
  return `agent-token:${agentId}`
}

function addressKey(email: string): string {
  return `agent-id:${email}`
}

/** A caller who aborts stops waiting; the work goes on for the others. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new ApiError('POST', '/agents/access-token/', { kind: 'aborted' }))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * When to ask the service again. It generates a new token when "under 5 minutes" of the old one are left (spec 3), so it is
 * asked slightly later than that. If its clock is behind, it returns the same token, and is asked again after a pause.
 */
function scheduleRenewal(askedMs: number, expiresAtMs: number): number {
  return Math.min(Math.max(expiresAtMs - RENEWAL_MS, askedMs + PAUSE_MS), expiresAtMs)
}

/** A token as it is stored, in JSON. */
const keptToken = record<SharedAgentToken & { readonly renewAtMs: number }>(
  ['agent_token', 'agent_id', 'expiresAtMs', 'renewAtMs'],
  { ...sharedFields, renewAtMs: integer },
)

const ID_LIFETIME_MS = 30 * 86_400_000
const RENEWAL_MS = 295_000
const PAUSE_MS = 10_000
