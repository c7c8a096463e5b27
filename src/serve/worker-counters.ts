import type { MetricsSnapshot } from './metrics.ts'
import { PendingReplies } from './pending-replies.ts'
import { addUp, emptySlot, occupy, vacate, type WorkerSlot } from './worker-slot.ts'

/** The counters of all workers. Each has a slot while it listens, so that the sum never decreases when one ends. */
export class WorkerCounters<T> {
  readonly #slots: WorkerSlot[] = []
  readonly #slotOf = new Map<T, number>()
  readonly #replies = new PendingReplies<T>()

  /** A worker listens. */
  add(worker: T): void {
    const free = this.#slots.findIndex(({ latest }) => latest === undefined)
    this.#slotOf.set(worker, free === -1 ? this.#slots.push(emptySlot()) - 1 : free)
    this.#change(worker, occupy)
  }

  /**
   * A worker has ended.
   *
   * @returns how many exchanges it had in flight when it was asked last
   */
  remove(worker: T): number {
    const slot = this.#slotOf.get(worker)
    const active = slot === undefined ? undefined : this.#slots[slot]?.latest?.levels.activeRequests
    this.#change(worker, vacate)
    this.#slotOf.delete(worker)
    this.#replies.settle(worker)
    return active ?? 0
  }

  receive(worker: T, snapshot: MetricsSnapshot): void {
    this.#change(worker, (slot) => ({ ...slot, latest: snapshot }))
    this.#replies.settle(worker)
  }

  /** Asks these workers. Of one that does not reply in time the last snapshot is used. */
  async collect(workers: readonly T[], ask: (worker: T) => void): Promise<readonly MetricsSnapshot[]> {
    const replies = this.#replies.all(workers, SNAPSHOT_WAIT_MS)
    workers.forEach(ask)
    await replies
    return addUp(this.#slots)
  }

  #change(worker: T, change: (slot: WorkerSlot) => WorkerSlot): void {
    const slot = this.#slotOf.get(worker)
    if (slot !== undefined) this.#slots[slot] = change(this.#slots[slot] ?? emptySlot())
  }
}

const SNAPSHOT_WAIT_MS = 1_000
