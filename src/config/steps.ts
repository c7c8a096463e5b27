/** Work of which each `yield` ends a step, so that a large config need not hold the event loop. */
export type Steps<T> = Generator<undefined, T, undefined>

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Takes steps for some milliseconds at a time; after each time, also the last, the event loop turns. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const endMs = performance.now() + TURN_MS
    let step: IteratorResult<undefined, T>
    do step = steps.next()
    while (!step.done && performance.now() < endMs)
    await new Promise((resolve) => setImmediate(resolve))
    if (step.done) return step.value
  }
}

const TURN_MS = 5
