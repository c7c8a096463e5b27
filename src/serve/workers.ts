import cluster, { type Worker } from 'node:cluster'
import type { Problem } from '../config/problem.ts'
import { watchHandoff } from '../proxy/internals/watch-handoff.ts'
import type { FileTexts } from './file-texts.ts'
import type { FixedAtStart } from './fixed-at-start.ts'
import type { Fleet } from './fleet.ts'
import { ListenError } from './listener.ts'
import type { MetricsSnapshot } from './metrics.ts'
import { PendingReplies } from './pending-replies.ts'
import type { StartFailure, WorkerEnd } from './worker-end.ts'
import { type FromWorker, PROTOCOL, type ToWorker } from './worker-message.ts'
import { emptySlot, occupy, toSnapshots, vacate, type WorkerSlot } from './worker-slot.ts'

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
  /**
   * Which process accepts connections: the primary, which hands them to the workers in turn, or each worker itself.
   * Connections that the primary has accepted and not passed on are lost when the workers end; with a socket that outlives
   * the process they would stay in its backlog, so there the workers accept.
   */
  readonly acceptor: 'primary' | 'workers'
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

/** A worker as the primary process sees it. */
interface Member {
  readonly worker: Worker
  readonly startedAtMs: number
  stage: 'starting' | 'listening' | 'leaving'
  version: string
  /** A successor is being started, so its death needs no other. */
  hasSuccessor: boolean
  /** Index of its slot, once it listens. */
  slot: number | undefined
  /** The files that were sent to it last. */
  sent: FileTexts | undefined
  reloads: number
  /** The reload that it uses. */
  reloaded: number
  /** How many exchanges it had to cut, once it has drained. */
  cut: number | undefined
  /** Pings since its last message. */
  pings: number
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
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
  acceptor,
  files,
  fixed,
  onDeath,
  onAcceptance,
  onRefusal,
}: WorkerSettings): Promise<WorkerFleet> {
  cluster.schedulingPolicy = acceptor === 'workers' ? cluster.SCHED_NONE : cluster.SCHED_RR
  const slots: WorkerSlot[] = []
  const members = new Set<Member>()
  const snapshotReplies = new PendingReplies<Member>()
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
    for (const { worker } of members) worker.process.kill('SIGKILL')
    throw error
  }
  state = 'open'
  // Pings count, not time: if this process or the machine is stopped for a while, that is one ping for all of it.
  const beat = setInterval(() => {
    for (const member of inStage('listening')) {
      member.pings += 1
      if (member.pings > DEAD_PINGS) member.worker.process.kill('SIGKILL')
      else tell(member, { kind: 'ping' })
    }
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
      const member: Member = {
        worker,
        startedAtMs: performance.now(),
        stage: 'starting',
        hasSuccessor: false,
        version: '',
        slot: undefined,
        sent: undefined,
        reloads: 0,
        reloaded: 0,
        cut: undefined,
        pings: 0,
        // Not `exit`: its last messages may still be on their way then.
        ended: new Promise((done) => worker.process.once('close', () => done())),
      }
      members.add(member)
      let failure: StartFailure | undefined
      const giveUp = (why: StartFailure) => {
        failure = why
        worker.removeAllListeners('message')
        worker.process.kill('SIGKILL')
      }
      const late = setTimeout(() => giveUp({ kind: 'silent', waitedMs: START_WAIT_MS }), START_WAIT_MS)
      const cutHandoff = watchHandoff(worker)
      worker.on('message', (message: FromWorker) => {
        member.pings = 0
        switch (message.kind) {
          case 'ready':
            if (message.protocol !== PROTOCOL)
              return giveUp({ kind: 'other-protocol', version: message.version })
            member.version = message.version
            member.sent = files()
            return tell(member, { kind: 'serve', files: member.sent, fixed: fixed() })
          case 'listening':
            if (state === 'draining') return
            clearTimeout(late)
            url = message.url
            member.stage = 'listening'
            takeSlot(member)
            // There was a reload while it started.
            if (files() !== member.sent) tellReload(member)
            return resolve(undefined)
          case 'not-listening':
            return giveUp(message)
          case 'reloaded':
            member.reloaded = message.reload
            return tellAcceptance()
          case 'config-refused':
            if (member.stage === 'starting') return giveUp(message)
            // Otherwise a later reload is on its way to it.
            if (message.reload === member.reloads) onRefusal(message.problems)
            return
          case 'snapshot':
            changeSlot(member, (slot) => ({ ...slot, latest: message.snapshot }))
            return snapshotReplies.settle(member)
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
        cutHandoff()
        const waitedMs = DEAD_PINGS * PING_EVERY_MS
        const isDead = member.pings > DEAD_PINGS
        onEnd(member, isDead ? { kind: 'unresponsive', waitedMs } : { kind: 'ended', exitCode, signal })
        resolve(failure ?? { kind: 'died', exitCode, signal })
      })
    })
  }

  function onEnd(member: Member, how: WorkerEnd): void {
    const { stage, slot } = member
    const lastActive = slot === undefined ? undefined : slots[slot]?.latest?.levels.activeRequests
    changeSlot(member, vacate)
    snapshotReplies.settle(member)
    if (stage === 'starting' || state === 'failed') return
    tellAcceptance()
    if (stage === 'listening') {
      onDeath('replaced', how)
      if (!member.hasSuccessor) startAnother(member.startedAtMs)
      return
    }
    if (member.cut !== undefined) return
    // The exact number is unknown since the last snapshot; at least 1, so that the loss is reported.
    member.cut = Math.max(1, lastActive ?? 0)
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

  /**
   * Drains a worker and waits for its end.
   *
   * @returns how many exchanges had to be cut
   */
  async function retire(member: Member, deadlineMs: number, idleGraceMs?: number): Promise<number> {
    const { worker, stage, ended } = member
    if (stage === 'listening') tell(member, { kind: 'drain', deadlineMs, idleGraceMs })
    // A worker that is still starting has no exchanges.
    if (stage === 'starting') worker.process.kill('SIGKILL')
    else member.stage = 'leaving'
    const late = setTimeout(() => worker.process.kill('SIGKILL'), deadlineMs + KILL_AFTER_MS)
    await ended
    clearTimeout(late)
    return member.cut ?? 0
  }

  function takeSlot(member: Member): void {
    const free = slots.findIndex(({ latest }) => latest === undefined)
    member.slot = free === -1 ? slots.push(emptySlot()) - 1 : free
    changeSlot(member, occupy)
  }

  function changeSlot({ slot }: Member, change: (slot: WorkerSlot) => WorkerSlot): void {
    if (slot !== undefined) slots[slot] = change(slots[slot] ?? emptySlot())
  }

  function inStage(...stages: readonly Member['stage'][]): readonly Member[] {
    return [...members].filter(({ stage }) => stages.includes(stage))
  }

  function tell({ worker }: Member, message: ToWorker): void {
    if (worker.isConnected()) worker.send(message)
  }

  function tellReload(member: Member): void {
    member.sent = files()
    member.reloads += 1
    tell(member, { kind: 'reload', files: member.sent, reload: member.reloads })
  }

  function tellAcceptance(): void {
    const listening = inStage('listening')
    if (listening.length === 0) return
    if (listening.every(({ sent, reloads, reloaded }) => sent === files() && reloaded === reloads))
      onAcceptance()
  }

  /** If a worker does not reply in time, its last snapshot is used. */
  async function snapshots(): Promise<readonly MetricsSnapshot[]> {
    const asked = inStage('listening', 'leaving')
    const replies = snapshotReplies.all(asked, SNAPSHOT_WAIT_MS)
    for (const member of asked) tell(member, { kind: 'snapshot' })
    await replies
    return toSnapshots(slots)
  }

  return {
    url,
    isReady: () => {
      const listening = inStage('listening')
      return state === 'open' && listening.length > 0 && listening.every(({ pings }) => pings <= SILENT_PINGS)
    },
    versions: () => [...new Set(inStage('listening', 'leaving').map(({ version }) => version))],
    metrics: snapshots,
    reload: () => inStage('listening').forEach(tellReload),
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
        cut += await retire(old, deadlineMs, REPLACED_IDLE_GRACE_MS)
        replaced += 1
      }
      return { replaced, cut, stoppedBy: undefined }
    },
    drain: async (deadlineMs) => {
      state = 'draining'
      clearInterval(beat)
      for (const restart of restarts) clearTimeout(restart)
      const cuts = await Promise.all([...members].map((member) => retire(member, deadlineMs)))
      return cuts.reduce((sum, each) => sum + each, 0)
    },
    cut: () => {
      for (const member of inStage('listening', 'leaving')) tell(member, { kind: 'cut' })
    },
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

const YOUNG_MS = 5_000
const MAX_WAIT_MS = 10_000
const KILL_AFTER_MS = 5_000
const SNAPSHOT_WAIT_MS = 1_000
const PING_EVERY_MS = 1_000
const SILENT_PINGS = 3
const DEAD_PINGS = 10
const START_WAIT_MS = 60_000
/** Nothing waits for the end of an old worker, so there is time to close most connections of front ends with a last response. */
const REPLACED_IDLE_GRACE_MS = 5_000
