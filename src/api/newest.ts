/** Where a source puts what it has. */
export interface NewestSink<T> {
  /** Takes the place of what nobody has fetched yet. */
  put(value: T): void
  /** What was put before it is still given. */
  end(outcome: 'done' | { readonly error: unknown }): void
}

/**
 * An iterator over a source that goes at its own pace: a reader who is slower gets the newest value and never an older
 * one, so one value is all that waits. The source starts with the first reading and stops when the reader returns.
 */
export function newestOf<T>(source: {
  start(sink: NewestSink<T>): void
  stop(): void
}): AsyncIterableIterator<T> {
  let state: 'new' | 'open' | 'done' | { readonly error: unknown } = 'new'
  let kept: { readonly value: T } | undefined
  const readers: {
    readonly resolve: (result: IteratorResult<T, undefined>) => void
    readonly reject: (error: unknown) => void
  }[] = []
  const sink: NewestSink<T> = {
    put(value) {
      if (state !== 'open') return
      const reader = readers.shift()
      if (reader === undefined) kept = { value }
      else reader.resolve({ done: false, value })
    },
    end(outcome) {
      if (state !== 'open') return
      const first = outcome === 'done' ? undefined : readers.shift()
      state = first === undefined ? outcome : 'done'
      if (outcome !== 'done') first?.reject(outcome.error)
      for (const reader of readers.splice(0)) reader.resolve(finished)
    },
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (state === 'new') {
        state = 'open'
        source.start(sink)
      }
      if (kept !== undefined) {
        const { value } = kept
        kept = undefined
        return { done: false, value }
      }
      if (typeof state === 'object') {
        const { error } = state
        state = 'done'
        throw error
      }
      if (state === 'done') return finished
      return new Promise((resolve, reject) => readers.push({ resolve, reject }))
    },
    async return() {
      const wasOpen = state === 'open'
      kept = undefined
      sink.end('done')
      state = 'done'
      if (wasOpen) source.stop()
      return finished
    },
  }
}

const finished = { done: true, value: undefined } as const
