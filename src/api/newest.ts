/** Where a source puts its values. */
export interface NewestSink<T> {
  /** Replaces a value that was not read yet. */
  put(value: T): void
  /** A value that was put before can still be read. */
  end(outcome: 'done' | { readonly error: unknown }): void
}

/**
 * Iterates over a source that has its own pace: a slower reader gets only the newest value, so at most one value waits. The
 * source starts with the first read and stops when the reader returns.
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
