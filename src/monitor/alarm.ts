/** A wait that can be cut short. */
export interface Alarm {
  /** Ends the wait. If nobody is waiting, the next wait ends at once. */
  ring(): void
  wait(durationMs: number): Promise<void>
}

export function openAlarm(): Alarm {
  let state: 'silent' | 'rung' = 'silent'
  let wake = () => {}
  return {
    ring() {
      state = 'rung'
      wake()
    },
    async wait(durationMs) {
      if (state === 'silent') {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, durationMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      state = 'silent'
    },
  }
}
