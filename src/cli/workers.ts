import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { MetricsSnapshot } from '../proxy/metrics.ts'
import { ListenError } from '../proxy/server.ts'
import type { Fleet } from '../proxy/serving.ts'
import type { FileTexts } from './file-texts.ts'
import type { FromWorker, ToWorker } from './worker-message.ts'

/** How many processes `workers` means; `auto` is one for each processor that this process may use. */
export function toWorkerCount(workers: number | 'auto'): number {
  return workers === 'auto' ? availableParallelism() : workers
}

/** A worker that died before all were listening: another one would die too. */
export class WorkerDeath extends Error {
  constructor() {
    super('A worker died while starting')
    this.name = 'WorkerDeath'
  }
}

/**
 * Serves in `count` processes that share one listener. A worker that dies is replaced, after a wait that doubles while
 * workers keep dying young.
 *
 * @param files gives what was loaded last; each new worker serves that
 * @param onDeath is told of each worker that died unasked
 * @throws ListenError when the public listener can't be opened
 * @throws WorkerDeath when a worker dies before all of them listen
 */
export async function startWorkers(
  count: number,
  files: () => FileTexts,
  onDeath: () => void,
): Promise<Fleet> {
  const listening = new Set<Worker>()
  const asked = new Map<number, { missing: number; snapshots: MetricsSnapshot[]; resolve: () => void }>()
  let state: 'starting' | 'open' | 'draining' = 'starting'
  let earlyDeaths = 0
  let asks = 0
  let cutCount = 0
  let url = ''

  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      state = 'draining'
      killAll()
      reject(error)
    }
    const fork = () => {
      const worker = cluster.fork()
      let sent: FileTexts | undefined
      const startedAtMs = performance.now()
      worker.on('message', (message: FromWorker) => {
        switch (message.kind) {
          case 'ready':
            sent = files()
            return void worker.send({ kind: 'serve', files: sent })
          case 'listening':
            url = message.url
            listening.add(worker)
            // A reload while it started went past it.
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
            asked.get(message.ask)?.snapshots.push(...message.snapshots)
            return settle(message.ask)
          case 'drained':
            cutCount += message.cut
        }
      })
      worker.on('error', () => {})
      worker.on('exit', () => {
        const wasListening = listening.delete(worker)
        if (wasListening) for (const ask of [...asked.keys()]) settle(ask)
        if (state === 'draining') return
        if (state === 'starting') return fail(new WorkerDeath())
        onDeath()
        earlyDeaths = performance.now() - startedAtMs < YOUNG_MS ? earlyDeaths + 1 : 0
        setTimeout(
          () => state !== 'draining' && fork(),
          earlyDeaths === 0 ? 0 : Math.min(MAX_WAIT_MS, 2 ** earlyDeaths * 50),
        )
      })
    }
    for (let i = 0; i < count; i += 1) fork()
  })

  /** One worker less to wait for: it answered, or it is gone. */
  function settle(ask: number): void {
    const pending = asked.get(ask)
    if (pending === undefined) return
    pending.missing -= 1
    if (pending.missing > 0) return
    asked.delete(ask)
    pending.resolve()
  }

  function tellAll(message: ToWorker): void {
    for (const worker of listening) {
      if (worker.isConnected()) worker.send(message)
    }
  }

  function killAll(): void {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  }

  async function snapshots(): Promise<readonly MetricsSnapshot[]> {
    if (listening.size === 0) return []
    const ask = asks++
    const found: MetricsSnapshot[] = []
    await new Promise<void>((resolve) => {
      asked.set(ask, { missing: listening.size, snapshots: found, resolve })
      for (const worker of listening) worker.send({ kind: 'snapshot', ask })
    })
    return found
  }

  return {
    url,
    isReady: () => state === 'open' && listening.size > 0,
    metrics: snapshots,
    reload: () => tellAll({ kind: 'reload', files: files() }),
    drain: async (deadlineMs) => {
      state = 'draining'
      const workers = Object.values(cluster.workers ?? {}).flatMap((worker) =>
        worker === undefined ? [] : [worker],
      )
      const gone = workers.map(
        (worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())),
      )
      tellAll({ kind: 'drain', deadlineMs })
      // One that is still starting has nothing to finish.
      for (const worker of workers) if (!listening.has(worker)) worker.process.kill('SIGKILL')
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
