import cluster, { type Worker } from 'node:cluster'
import type { Problem } from '../config/problem.ts'
import type { FileTexts } from './file-texts.ts'
import type { FixedAtStart } from './fixed-at-start.ts'
import type { Fleet } from './fleet.ts'
import { ListenError } from './listener.ts'
import { WorkerCounters } from './worker-counters.ts'
import { type FromWorker, PROTOCOL } from './worker-message.ts'
import { PING_EVERY_MS, type StartFailure, type WorkerEnd, WorkerProcess } from './worker-process.ts'

/** A worker died before all were listening; its replacement would die too. */
export class WorkerDeath extends Error {
  constructor() {
    super('A worker died while starting')
    this.name = 'WorkerDeath'
  }
}

/** Several processes that share a listener. */
export interface WorkerFleet extends Fleet {
  /** Versions of the package that the workers were started from, without repetition. */
  versions(): readonly string[]
  /**
   * Starts a worker from the files on disk and drains an old one once the new one listens, for each old worker in turn, so
   * that there is never more than one extra worker. Stops at the first new worker that fails to start; the remaining old
   * ones stay.
   *
   * @param deadlineMs for each drain
   */
  replace(deadlineMs: number): Promise<Replacement>
}

export interface Replacement {
  readonly replaced: number
  /** Exchanges that were cut at the deadline of a drain. */
  readonly cut: number
  /** Why it ended early. */
  readonly stoppedBy: StartFailure | undefined
}

export interface WorkerSettings {
  readonly count: number
  /** Returns the files that were loaded last; new workers use these. */
  files(): FileTexts
  fixed(): FixedAtStart
  /**
   * Called for each worker that died unexpectedly, with the consequence: a worker that dies while draining is counted as
   * cut, and not replaced.
   */
  onDeath(next: 'replaced' | 'cut', why: StartFailure | WorkerEnd): void
  /** Called once every worker uses the files that were loaded last. */
  onAcceptance(): void
  /** Called for each worker that rejects the files that were loaded last, and keeps its old config. */
  onRefusal(problems: readonly Problem[]): void
}

/**
 * Runs the proxy in several processes that share one listener. A worker that dies is replaced, after a delay that doubles
 * while workers keep dying soon after their start.
 *
 * @throws ListenError when the public listener can't be opened
 * @throws WorkerDeath when a worker dies before it listens
 */
export async function startWorkers({
  count,
  files,
  fixed,
  onDeath,
  onAcceptance,
  onRefusal,
}: WorkerSettings): Promise<WorkerFleet> {
  // Each worker accepts. The primary would accept more and more that it has yet to hand over, stopped and busy workers would
  // get their share too, and what was not handed over would be lost with it.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const members = new Set<WorkerProcess>()
  const counters = new WorkerCounters<WorkerProcess>()
  let state: 'starting' | 'open' | 'draining' | 'failed' = 'starting'
  let earlyDeaths = 0
  const restarts = new Set<NodeJS.Timeout>()
  let url = ''

  try {
    await Promise.all(
      Array.from({ length: count }, async () => {
        const failure = await start()
        if (failure?.kind === 'not-listening') throw new ListenError(failure.code)
        if (failure !== undefined) throw new WorkerDeath()
      }),
    )
  } catch (error) {
    state = 'failed'
    for (const member of members) member.kill()
    throw error
  }
  state = 'open'
  // Pings count, not time: if this process or the machine is stopped for a while, that is one ping for all of it.
  const beat = setInterval(() => {
    for (const member of inStage('listening')) member.ping()
  }, PING_EVERY_MS)

  /** Resolves when the new worker listens, or with the reason when it has ended without. */
  function start(): Promise<StartFailure | undefined> {
    let worker: Worker
    try {
      worker = cluster.fork()
    } catch (error) {
      return Promise.resolve({ kind: 'not-started', code: codeOf(error) })
    }
    return new Promise((resolve) => {
      const member = new WorkerProcess(worker)
      members.add(member)
      let failure: StartFailure | undefined
      const giveUp = (why: StartFailure) => {
        failure = why
        worker.removeAllListeners('message')
        member.kill()
      }
      const late = setTimeout(() => giveUp({ kind: 'silent', waitedMs: START_WAIT_MS }), START_WAIT_MS)
      worker.on('message', (message: FromWorker) => {
        member.hear()
        switch (message.kind) {
          case 'ready':
            if (message.protocol !== PROTOCOL)
              return giveUp({ kind: 'other-protocol', version: message.version })
            member.version = message.version
            return member.serve(files(), { fixed: fixed() })
          case 'listening':
            if (state === 'draining') return
            clearTimeout(late)
            url = message.url
            member.stage = 'listening'
            counters.add(member)
            // There was a reload while it started.
            if (!member.wasSent(files())) member.reload(files())
            return resolve(undefined)
          case 'not-listening':
            return giveUp(message)
          case 'reloaded':
            member.reloaded = message.reload
            return tellAcceptance()
          case 'config-refused':
            if (member.stage === 'starting') return giveUp(message)
            // Otherwise a later reload is on its way to it.
            if (member.isLatest(message.reload)) onRefusal(message.problems)
            return
          case 'snapshot':
            return counters.receive(member, message.snapshot)
          case 'drained':
            member.cut = message.cut
        }
      })
      // Node reports some failed starts like this, maybe as the only event, and throws for others.
      worker.on('error', (error) => {
        if (worker.process.pid !== undefined) return
        clearTimeout(late)
        members.delete(member)
        resolve({ kind: 'not-started', code: codeOf(error) })
      })
      worker.process.on('close', (exitCode, signal) => {
        clearTimeout(late)
        members.delete(member)
        onEnd(member, member.endOf(exitCode, signal))
        resolve(failure ?? { kind: 'died', exitCode, signal })
      })
    })
  }

  function onEnd(member: WorkerProcess, how: WorkerEnd): void {
    const { stage } = member
    const lastActive = counters.remove(member)
    if (stage === 'starting' || state === 'failed') return
    tellAcceptance()
    if (stage === 'listening') {
      onDeath('replaced', how)
      if (!member.hasSuccessor) startAnother(member.startedAtMs)
      return
    }
    if (member.cut !== undefined) return
    // The exact number is unknown since the last snapshot; at least 1, so that the loss is reported.
    member.cut = Math.max(1, lastActive)
    onDeath('cut', how)
  }

  /** Starts a worker in place of one that died. */
  function startAnother(startedAtMs: number): void {
    earlyDeaths = performance.now() - startedAtMs < YOUNG_MS ? earlyDeaths + 1 : 0
    const restart = setTimeout(
      async () => {
        restarts.delete(restart)
        if (state === 'draining' || state === 'failed') return
        const nextStartedAtMs = performance.now()
        const failure = await start()
        if (failure === undefined || state !== 'open') return
        onDeath('replaced', failure)
        startAnother(nextStartedAtMs)
      },
      earlyDeaths === 0 ? 0 : Math.min(MAX_WAIT_MS, 2 ** earlyDeaths * 50),
    )
    restarts.add(restart)
  }

  function inStage(...stages: readonly WorkerProcess['stage'][]): readonly WorkerProcess[] {
    return [...members].filter(({ stage }) => stages.includes(stage))
  }

  function tellAcceptance(): void {
    const listening = inStage('listening')
    if (listening.length === 0) return
    if (listening.every((each) => each.wasSent(files()) && each.isLatest(each.reloaded))) onAcceptance()
  }

  return {
    url,
    isReady: () => {
      const listening = inStage('listening')
      return state === 'open' && listening.length > 0 && !listening.some(({ isSilent }) => isSilent)
    },
    versions: () => [...new Set(inStage('listening', 'leaving').map(({ version }) => version))],
    metrics: () =>
      counters.collect(inStage('listening', 'leaving'), (member) => member.tell({ kind: 'snapshot' })),
    reload: () => {
      for (const member of inStage('listening')) member.reload(files())
    },
    replace: async (deadlineMs) => {
      let replaced = 0
      let cut = 0
      for (const old of inStage('listening')) {
        if (state !== 'open') break
        // If it has died meanwhile, its replacement was started from the files on disk.
        if (!members.has(old)) continue
        old.hasSuccessor = true
        const stoppedBy = await start()
        if (stoppedBy !== undefined) {
          old.hasSuccessor = false
          if (!members.has(old)) startAnother(old.startedAtMs)
          return { replaced, cut, stoppedBy }
        }
        cut += await old.retire(deadlineMs, REPLACED_IDLE_GRACE_MS)
        replaced += 1
      }
      return { replaced, cut, stoppedBy: undefined }
    },
    drain: async (deadlineMs) => {
      state = 'draining'
      clearInterval(beat)
      for (const restart of restarts) clearTimeout(restart)
      const cuts = await Promise.all([...members].map((member) => member.retire(deadlineMs)))
      return cuts.reduce((sum, each) => sum + each, 0)
    },
    cut: () => {
      for (const member of inStage('listening', 'leaving')) member.tell({ kind: 'cut' })
    },
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

const YOUNG_MS = 5_000
const MAX_WAIT_MS = 10_000
const START_WAIT_MS = 60_000
/** Nothing waits for the end of an old worker, so there is time to close most connections of front ends with a last response. */
const REPLACED_IDLE_GRACE_MS = 5_000
