/** The same thing done over and over, by several at once. */
export interface SteadyLoad {
  /** How often it was done so far. */
  readonly done: () => number
  /** Resolves once it was done that many times more. */
  more(count: number): Promise<void>
  /** Begins nothing more, and resolves when what is under way has ended. */
  stop(): Promise<void>
}

/** Starts `count` clients, each of which calls `once` again as soon as it has ended. */
export function startLoad(count: number, once: () => Promise<void>): SteadyLoad {
  const watchers = new Set<() => void>()
  let state: 'running' | 'stopping' = 'running'
  let done = 0
  const clients = Array.from({ length: count }, async () => {
    while (state === 'running') {
      await once()
      done += 1
      for (const watcher of [...watchers]) watcher()
    }
  })
  return {
    done: () => done,
    more: (wanted) =>
      new Promise((resolve) => {
        const target = done + wanted
        const watcher = () => {
          if (done < target) return
          watchers.delete(watcher)
          resolve()
        }
        watchers.add(watcher)
      }),
    stop: async () => {
      state = 'stopping'
      await Promise.all(clients)
    },
  }
}
