/**
 * How long to wait before the next run. Runs start `everyMs` apart, plus or minus a tenth, so that monitors started at
 * the same time drift apart. A run that takes longer delays the next one. The pause is never shorter than a tenth of
 * the interval.
 *
 * @param random from 0 to 1
 */
export function planWait({ everyMs, tookMs, random }: Timing): number {
  const apartMs = everyMs * (1 + SPREAD * (2 * random - 1))
  return Math.round(Math.max(apartMs - tookMs, everyMs * SHORTEST_PAUSE))
}

type Timing = Readonly<Record<'everyMs' | 'tookMs' | 'random', number>>

const SPREAD = 0.1
const SHORTEST_PAUSE = 0.1

export type Alarm = ReturnType<typeof openAlarm>

/** A wait that can be cut short. */
export function openAlarm() {
  let bell = new AbortController()
  return {
    /** Ends the wait. If nobody is waiting, the next wait ends at once. */
    ring: () => bell.abort(),
    async wait(durationMs: number): Promise<void> {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, bell.signal.aborted ? 0 : durationMs)
        bell.signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      })
      bell = new AbortController()
    },
  }
}
