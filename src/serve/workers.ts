import cluster, { type Worker } from 'node:cluster'
import type { FileTexts } from './file-texts.ts'
import type { MetricsSnapshot } from './metrics.ts'
import { emptyPlace, occupy, type Place, toSnapshots, vacate } from './place.ts'
import { ListenError } from './server.ts'
import type { Fleet } from './serving.ts'
import type { FromWorker, ToWorker } from './worker-message.ts'

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
 * @param onDeath is told of each worker that died unasked, and what follows: a worker that dies while draining is
 *   counted as cut, and not replaced
 * @param acceptor who takes connections: this process, which hands them to the workers in turn, or each worker by itself.
 *   What this process has taken and not handed on is lost when the workers end; a socket that outlives them would keep it.
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
  const places = Array.from({ length: count }, emptyPlace)
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
            places[index] = occupy(placeAt(index))
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
            places[index] = { ...placeAt(index), latest: message.snapshot }
            return settle(worker)
          case 'drained':
            hasDrained = true
            cutCount += message.cut
        }
      })
      worker.on('error', () => {})
      // Not `exit`: what it said last may still be on its way then.
      worker.process.on('close', () => {
        const wasListening = listening.delete(worker)
        const { latest } = placeAt(index)
        places[index] = vacate(placeAt(index))
        alive.delete(worker)
        settle(worker)
        if (state === 'failed') return
        if (state === 'starting') return fail(new WorkerDeath())
        if (state === 'draining') {
          if (hasDrained || !wasListening) return
          // Between two snapshots nobody knows, and nobody should read that all went well.
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
    for (const index of places.keys()) fork(index)
  })

  function placeAt(index: number): Place {
    return places[index] ?? emptyPlace()
  }

  /** One worker less to wait for: it answered, or it is gone. */
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

  /** Of a worker that does not answer in time, what it said last counts. */
  function snapshots(): Promise<readonly MetricsSnapshot[]> {
    return new Promise((resolve) => {
      const answer = () => {
        clearTimeout(late)
        asks.delete(ask)
        resolve(toSnapshots(places))
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
      // One that is still starting has nothing to finish.
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
