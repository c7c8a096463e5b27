/** Waits for a reply from each of several workers, which may also end without one. */
export class PendingReplies<T> {
  readonly #waits = new Set<{ readonly silent: Set<T>; readonly done: () => void }>()

  /** Resolves once each of them has replied or ended, but at the latest after `mostMs`. */
  all(others: readonly T[], mostMs: number): Promise<void> {
    if (others.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(late)
        this.#waits.delete(wait)
        resolve()
      }
      const late = setTimeout(done, mostMs)
      const wait = { silent: new Set(others), done }
      this.#waits.add(wait)
    })
  }

  /** It has replied, or ended. */
  settle(other: T): void {
    for (const { silent, done } of this.#waits) {
      if (silent.delete(other) && silent.size === 0) done()
    }
  }
}
