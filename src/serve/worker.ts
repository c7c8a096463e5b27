import cluster from 'node:cluster'
import type { ReadFile } from '../config/file-fault.ts'
import { replayFiles } from './file-texts.ts'
import { keepFixed } from './fixed-at-start.ts'
import { type Fleet, startInProcess } from './fleet.ts'
import { findHandedSocket } from './handed-socket.ts'
import { ListenError } from './listener.ts'
import type { Loading } from './load-resolved.ts'
import { finishLog, openLog, openOutput } from './log.ts'
import { readMachine } from './machine.ts'
import type { OwnProcess } from './own-process.ts'
import { planProcessShare } from './process-share.ts'
import { type FromWorker, PROTOCOL, type ToWorker } from './worker-message.ts'

/** Whether this process was started by a primary one. */
export function isWorker(): boolean {
  return cluster.isWorker
}

/**
 * Runs a worker: it forwards requests and acts on the messages of the primary process, until it is drained or the
 * primary is gone. Signals of a terminal reach workers too, which leave them to the primary.
 *
 * @param load of the files that the primary process has loaded before
 * @param version of the package
 */
export async function serveAsWorker(
  load: (readFile: ReadFile) => Promise<Loading>,
  version: string,
  own: OwnProcess,
): Promise<void> {
  const { worker } = cluster
  if (worker === undefined) throw new Error('This process is not a worker')
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) own.onSignal(signal, () => {})
  const machine = await readMachine(own.readFile, own)
  const output = openOutput(own, 'shared')
  // A message that can't be sent, as when the primary process was killed. `disconnect` follows.
  worker.on('error', () => {})
  const tell = (message: FromWorker) => void (worker.isConnected() && worker.send(message))
  const first = new Promise<(ToWorker & { readonly kind: 'serve' }) | undefined>((resolve) => {
    worker.on('message', (message: ToWorker) => message.kind === 'serve' && resolve(message))
    worker.once('disconnect', () => resolve(undefined))
  })
  tell({ kind: 'ready', protocol: PROTOCOL, version })
  const order = await first
  if (order === undefined) return
  const { fixed } = order
  const loaded = await load(replayFiles(order.files))
  if ('problems' in loaded) {
    tell({ kind: 'config-refused', reload: 0, problems: loaded.problems })
    worker.disconnect()
    return
  }
  let fleet: Fleet
  try {
    const share = planProcessShare(keepFixed(loaded.resolved, fixed), fixed.workers, machine)
    // A socket that was handed to the primary process is there for its workers.
    const handedSocket = findHandedSocket(own.env, own.processIds.parent)
    fleet = await startInProcess(share, handedSocket, own, output, openLog(output))
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    tell({ kind: 'not-listening', code: error.code })
    worker.disconnect()
    return
  }
  await new Promise<void>((resolve) => {
    const tellMetrics = async () => {
      const { sum: snapshot } = await fleet.metrics()
      tell({ kind: 'snapshot', snapshot })
    }
    const drain = async (deadlineMs: number, idleGraceMs?: number) => {
      // In case this process is killed now: the primary then knows its counters and what is cut.
      await tellMetrics()
      const cut = await fleet.drain(deadlineMs, idleGraceMs)
      await tellMetrics()
      tell({ kind: 'drained', cut })
      worker.off('disconnect', onDisconnect)
      resolve()
    }
    const onDisconnect = () => void drain(0)
    // One at a time, so that a small config can't overtake a large one that came before it.
    let reloads = Promise.resolve()
    worker.on('disconnect', onDisconnect)
    worker.on('message', (message: ToWorker) => {
      switch (message.kind) {
        case 'reload':
          reloads = reloads.then(async () => {
            const next = await load(replayFiles(message.files))
            const { reload: number } = message
            if ('problems' in next)
              return tell({ kind: 'config-refused', reload: number, problems: next.problems })
            fleet.reload(planProcessShare(next.resolved, fixed.workers, machine))
            tell({ kind: 'reloaded', reload: number })
          })
          return
        case 'snapshot':
          return void tellMetrics()
        case 'ping':
          return tell({ kind: 'pong' })
        case 'drain':
          return void drain(message.deadlineMs, message.idleGraceMs)
        case 'cut':
          return fleet.cut()
      }
    })
    tell({ kind: 'listening', url: fleet.url })
  })
  if (worker.isConnected()) worker.disconnect()
  await finishLog(output, own)
}
