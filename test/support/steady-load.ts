import { setTimeout as wait } from 'node:timers/promises'
import { Watch } from './watch.ts'

/** What a client waits before its next turn, which leaves the processor to what is tested. */
const PAUSE_MS = 10

/** Starts `count` clients, each of which calls `once` again soon after it has ended. */
export function startLoad(count: number, once: () => Promise<void>) {
  const watch = new Watch()
  let state: 'running' | 'stopping' = 'running'
  let done = 0
  const clients = Array.from({ length: count }, async () => {
    while (state === 'running') {
      await once()
      done += 1
      watch.notify()
      await wait(PAUSE_MS)
    }
  })
  return {
    /** Resolves once it was done that many times more. */
    more: (wanted: number) => {
      const target = done + wanted
      return watch.until(() => done >= target)
    },
    /** Sends nothing more, and resolves when the requests in progress have ended. */
    stop: async () => {
      state = 'stopping'
      await Promise.all(clients)
    },
  }
}
