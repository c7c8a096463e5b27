import { codeOf } from './errors.ts'
import { UnsafeFileError } from './own-file.ts'

/**
 * Where processes share the agent tokens of one account; each account needs its own store. If a method throws or rejects,
 * the call fails with an `AgentTokenError` of kind `store`.
 *
 * Values contain tokens: keep them where nobody else can read them.
 */
export interface AgentTokenStore {
  /** The value of a key; `undefined` without one. */
  get(key: string): Promise<string | undefined>
  /**
   * @param lifetimeMs milliseconds, at least 1, after which `get` no longer returns the value. Measure them by one clock, the
   * store's: the clocks of the processes may differ
   */
  set(key: string, value: string, lifetimeMs: number): Promise<unknown>
  delete(key: string): Promise<unknown>
  /** Runs the work while no process runs other work for the same key, and returns its result. */
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>
}

/**
 * A store within one process. It is the default; share one among several `createAgentTokens` of the same account.
 *
 * @example
 * import { createAgentTokens, createClient, memoryTokenStore } from 'continuation-point/api'
 *
 * const client = createClient({ baseUrl: 'https://cobrowse.example.net/v2', apiKey: process.env.API_KEY })
 * const store = memoryTokenStore()
 * const tokens = createAgentTokens(client, { store })
 */
export function memoryTokenStore(): AgentTokenStore {
  const values = new Map<string, { readonly value: string; readonly untilMs: number }>()
  const queues = new Map<string, Promise<unknown>>()
  return {
    async get(key) {
      const kept = values.get(key)
      return kept !== undefined && performance.now() < kept.untilMs ? kept.value : undefined
    },
    set: async (key, value, lifetimeMs) =>
      values.set(key, { value, untilMs: performance.now() + lifetimeMs }),
    delete: async (key) => values.delete(key),
    async exclusive(key, work) {
      const before = queues.get(key)
      const mine = Promise.resolve(before).then(work, work)
      queues.set(key, mine)
      try {
        return await mine
      } finally {
        if (queues.get(key) === mine) queues.delete(key)
      }
    },
  }
}

/** Turns errors of the store, but not those of the work that it runs, into an `AgentTokenError`. */
export function guard(store: AgentTokenStore): AgentTokenStore {
  const ofStore = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof UnsafeFileError) throw new AgentTokenError('unsafe-store', error.message)
      throw new AgentTokenError('store', codeOf(error))
    }
  }
  return {
    get: (key) => ofStore(async () => store.get(key)),
    set: (key, value, lifetimeMs) => ofStore(async () => store.set(key, value, lifetimeMs)),
    delete: (key) => ofStore(async () => store.delete(key)),
    async exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
      const [done] = await ofStore(async () => store.exclusive(key, () => Promise.allSettled([work()])))
      if (done.status === 'rejected') throw done.reason
      return done.value
    },
  }
}

export type AgentTokenErrorKind = keyof typeof PHRASES

/**
 * Why there is no token, other than an error of the service. It contains no token and no key, and of a store's error only
 * the code: clients of databases quote what they sent.
 *
 * @example
 * import { AgentTokenError, createAgentTokens, createClient } from 'continuation-point/api'
 *
 * const client = createClient({ baseUrl: 'https://cobrowse.example.net/v2', apiKey: process.env.API_KEY })
 * try {
 *   await createAgentTokens(client).get({ agent_id: 7 })
 * } catch (error) {
 *   if (!(error instanceof AgentTokenError)) throw error
 *   console.error(error.kind, error.message)
 * }
 */
export class AgentTokenError extends Error {
  readonly kind: AgentTokenErrorKind

  /** @param detail an id, an error code, or what is wrong with the folder */
  constructor(kind: AgentTokenErrorKind, detail?: string) {
    super(`agent token: ${PHRASES[kind]}${detail === undefined ? '' : ` (${detail})`}`)
    this.name = 'AgentTokenError'
    this.kind = kind
  }
}

const PHRASES = {
  'agent-gone': 'the agent no longer exists; ask by e-mail and name to create it again',
  store: 'the store failed; check its log and try again',
  'unsafe-store': 'the folder of the store is not safe',
} as const
