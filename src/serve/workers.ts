import cluster, { type Worker } from 'node:cluster'
import type { FileTexts } from './file-texts.ts'
import type { MetricsSnapshot } from './metrics.ts'
import { emptySlot, occupy, toSnapshots, vacate, type WorkerSlot } from './place.ts'
import { ListenError } from './server.ts'
import type { Fleet } from './serving.ts'
import type { FromWorker, ToWorker } from './worker-message.ts'

/** A worker died before all were listening; its replacement would die too. */
export class WorkerDeath extends Error {
  constructor() {
    super('A worker died while starting')
    this.name = 'WorkerDeath'
  }
}

/**
 * Runs the proxy in `count` processes that share one listener. A worker that dies is replaced, after a delay that doubles
 * while workers keep dying soon after their start.
 *
 * @param files returns the files that were loaded last; new workers use these
 * @param onDeath is called for each worker that died unexpectedly, with the consequence: a worker that dies while
 *   draining is counted as cut, and not replaced
 * @param acceptor which process accepts connections: the primary, which hands them to the workers in turn, or each worker
 *   itself. Connections that the primary has accepted and not handed on are lost when the workers end; with a socket that
 *   outlives the process they would stay in its backlog, so there the workers accept.
 * @throws ListenError when the public listener can't be opened
 * @throws WorkerDeath when a worker dies before all of them listen
 */
export async function startWorkers(
  count: number,
  files: () => FileTexts,
  onDeath: (next: 'replaced' | 'cut') => void,
  acceptor: 'primary' | 'workers',
): Promise<Fleet> {
  cluster.schedulingPolicy = acceptor === 'workers' ? cluster.SCHED_NONE : cluster.SCHED_RR
  const slots = Array.from({ length: count }, emptySlot)
  const alive = new Set<Worker>()
  const listening = new Set<Worker>()
  const asks = new Set<{ readonly silent: Set<Worker>; readonly answer: () => void }>()
  let state: 'starting' | 'open' | 'draining' | 'failed' = 'starting'
  let earlyDeaths = 0
  let cutCount = 0
  let url = ''

  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      state = 'failed'
      killAll()
      reject(error)
    }
    const fork = (index: number) => {
      const worker = cluster.fork()
      alive.add(worker)
      let sent: FileTexts | undefined
      let hasDrained = false
      const startedAtMs = performance.now()
      worker.on('message', (message: FromWorker) => {
        switch (message.kind) {
          case 'ready':
            sent = files()
            return void worker.send({ kind: 'serve', files: sent })
          case 'listening':
            if (state === 'draining') return
            url = message.url
            listening.add(worker)
            slots[index] = occupy(slotAt(index))
            // It missed a reload that came while it started.
            if (files() !== sent) worker.send({ kind: 'reload', files: files() })
            if (state === 'starting' && listening.size === count) {
              state = 'open'
              resolve()
            }
            return
          case 'not-listening':
            if (state === 'starting') fail(new ListenError(message.code))
            return void worker.process.kill('SIGKILL')
          case 'snapshot':
            slots[index] = { ...slotAt(index), latest: message.snapshot }
            return settle(worker)
          case 'drained':
            hasDrained = true
            cutCount += message.cut
        }
      })
      worker.on('error', () => {})
      // Not `exit`: its last messages may still be on their way then.
      worker.process.on('close', () => {
        const wasListening = listening.delete(worker)
        const { latest } = slotAt(index)
        slots[index] = vacate(slotAt(index))
        alive.delete(worker)
        settle(worker)
        if (state === 'failed') return
        if (state === 'starting') return fail(new WorkerDeath())
        if (state === 'draining') {
          if (hasDrained || !wasListening) return
          // The exact number is unknown since the last snapshot; at least 1, so that the loss is reported.
          cutCount += Math.max(1, latest?.levels.activeRequests ?? 0)
          return onDeath('cut')
        }
        onDeath('replaced')
        earlyDeaths = performance.now() - startedAtMs < YOUNG_MS ? earlyDeaths + 1 : 0
        setTimeout(
          () => state === 'open' && fork(index),
          earlyDeaths === 0 ? 0 : Math.min(MAX_WAIT_MS, 2 ** earlyDeaths * 50),
        )
      })
    }
    for (const index of slots.keys()) fork(index)
  })

  function slotAt(index: number): WorkerSlot {
    return slots[index] ?? emptySlot()
  }

  /** One worker less to wait for: it has replied, or ended. */
  function settle(worker: Worker): void {
    for (const { silent, answer } of asks) {
      if (silent.delete(worker) && silent.size === 0) answer()
    }
  }

  function tellAll(message: ToWorker): void {
    for (const worker of listening) {
      if (worker.isConnected()) worker.send(message)
    }
  }

  function killAll(): void {
    for (const worker of alive) worker.process.kill('SIGKILL')
  }

  /** For a worker that does not reply in time, its last snapshot counts. */
  function snapshots(): Promise<readonly MetricsSnapshot[]> {
    return new Promise((resolve) => {
      const answer = () => {
        clearTimeout(late)
        asks.delete(ask)
        resolve(toSnapshots(slots))
      }
      const late = setTimeout(answer, SNAPSHOT_WAIT_MS)
      const ask = { silent: new Set(listening), answer }
      if (ask.silent.size === 0) return answer()
      asks.add(ask)
      tellAll({ kind: 'snapshot' })
    })
  }

  return {
    url,
    isReady: () => state === 'open' && listening.size > 0,
    metrics: snapshots,
    reload: () => tellAll({ kind: 'reload', files: files() }),
    drain: async (deadlineMs) => {
      state = 'draining'
      const gone = [...alive].map(
        (worker) => new Promise<void>((resolve) => worker.process.once('close', () => resolve())),
      )
      tellAll({ kind: 'drain', deadlineMs })
      // A worker that is still starting has no exchanges.
      for (const worker of alive) if (!listening.has(worker)) worker.process.kill('SIGKILL')
      const late = setTimeout(killAll, deadlineMs + KILL_AFTER_MS)
      await Promise.all(gone)
      clearTimeout(late)
      return cutCount
    },
    cut: () => tellAll({ kind: 'cut' }),
  }
}

const YOUNG_MS = 5_000
const MAX_WAIT_MS = 10_000
const KILL_AFTER_MS = 5_000
const SNAPSHOT_WAIT_MS = 1_000
