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
