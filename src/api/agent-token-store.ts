/**
 * What the processes that use one account's agent tokens share. A store belongs to one account. What it throws or
 * rejects with ends the call as an `AgentTokenError` of kind `store`.
 *
 * Values hold tokens: keep them where nobody else reads.
 */
export interface AgentTokenStore {
  /** The value of a key; `undefined` for none. */
  get(key: string): Promise<string | undefined>
  /**
   * @param lifetimeMs milliseconds, at least 1, after which `get` gives the value no more, by a clock of the store's own:
   * those of the processes may differ
   */
  set(key: string, value: string, lifetimeMs: number): Promise<unknown>
  delete(key: string): Promise<unknown>
  /** Runs the work while nobody else, in any process, runs work for the same key, and gives its result. */
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** A store for one process alone. */
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

/** Tells what the store does wrong from what the work within it does. */
export function guard(store: AgentTokenStore): AgentTokenStore {
  const ofStore = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw new AgentTokenError('store', toCode(error))
    }
  }
  return {
    get: (key) => ofStore(async () => store.get(key)),
    set: (key, value, lifetimeMs) => ofStore(async () => store.set(key, value, lifetimeMs)),
    delete: (key) => ofStore(async () => store.delete(key)),
    async exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
      const done = await ofStore(async () =>
        store.exclusive(key, () =>
          work().then(
            (value) => ({ value }),
            (thrown: unknown) => ({ thrown }),
          ),
        ),
      )
      if ('thrown' in done) throw done.thrown
      return done.value
    },
  }
}

function toCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{2,60}$/.test(code) ? code : undefined
}

export type AgentTokenErrorKind = keyof typeof phrases

/**
 * Why there is no token, where it is not the service's doing. It holds no token, no key and nothing that a store said but
 * its error code: clients of stores put what they sent into their errors.
 */
export class AgentTokenError extends Error {
  readonly kind: AgentTokenErrorKind

  /** @param detail an id or an error code */
  constructor(kind: AgentTokenErrorKind, detail?: string) {
    super(`agent token: ${phrases[kind]}${detail === undefined ? '' : ` (${detail})`}`)
    this.name = 'AgentTokenError'
    this.kind = kind
  }
}

const phrases = {
  'agent-gone': 'the service knows no such agent any more; ask by e-mail and name to make it anew',
  store: 'the store failed; look at its log, and try again',
} as const
