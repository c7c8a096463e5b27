import type { MetricsSnapshot, Totals } from './metrics.ts'
import { NO_LEVELS, NOTHING, sumOf } from './metrics-sum.ts'

/** The counters of all workers, whose sum never decreases when one ends. */
export class WorkerCounters<T> {
  /** Of those that ended. */
  #past = NOTHING
  /** Of those that listen, as they told last. */
  readonly #latest = new Map<T, MetricsSnapshot>()
  readonly #waits = new Set<{ readonly silent: Set<T>; readonly done: () => void }>()

  /** A worker listens. */
  add(worker: T): void {
    this.#latest.set(worker, NOTHING)
  }

  /**
   * A worker has ended: its counters stay, its current values don't.
   *
   * @returns how many exchanges it had in flight when it was asked last
   */
  remove(worker: T): number {
    const last = this.#latest.get(worker) ?? NOTHING
    this.#latest.delete(worker)
    this.#past = sumOf([this.#past, { ...last, levels: NO_LEVELS }])
    this.#settle(worker)
    return last.levels.activeRequests
  }

  receive(worker: T, snapshot: MetricsSnapshot): void {
    if (this.#latest.has(worker)) this.#latest.set(worker, snapshot)
    this.#settle(worker)
  }

  /** Asks these workers. Of one that does not reply in time the last snapshot is used. */
  async collect(workers: readonly T[], ask: (worker: T) => void): Promise<Totals> {
    const replies = this.#replies(workers)
    workers.forEach(ask)
    await replies
    return { sum: sumOf([this.#past, ...this.#latest.values()]), processes: this.#latest.size }
  }

  /** Resolves once each of them has replied or ended, or has had its time. */
  #replies(workers: readonly T[]): Promise<void> {
    if (workers.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(late)
        this.#waits.delete(wait)
        resolve()
      }
      const late = setTimeout(done, SNAPSHOT_WAIT_MS)
      const wait = { silent: new Set(workers), done }
      this.#waits.add(wait)
    })
  }

  #settle(worker: T): void {
    for (const { silent, done } of this.#waits) {
      if (silent.delete(worker) && silent.size === 0) done()
    }
  }
}

const SNAPSHOT_WAIT_MS = 1_000
