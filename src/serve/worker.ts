import cluster from 'node:cluster'
import type { FileTexts } from './file-texts.ts'
import { ListenError } from './server.ts'
import type { Fleet } from './serving.ts'
import type { FromWorker, ToWorker } from './worker-message.ts'

/** Whether this process was started by a primary one. */
export function isWorker(): boolean {
  return cluster.isWorker
}

/**
 * Runs a worker: it forwards requests and obeys the messages of the primary process, until it is drained or the primary
 * is gone. Signals of a terminal reach workers too, which leave them to the primary.
 *
 * @param start starts with the config in these files
 * @param reload applies the config in these files; a worker that fails at it ends, and is replaced
 */
export async function runWorker(
  start: (files: FileTexts) => Promise<Fleet>,
  reload: (fleet: Fleet, files: FileTexts) => Promise<void>,
): Promise<void> {
  const { worker } = cluster
  if (worker === undefined) throw new Error('This process is no worker')
  const tell = (message: FromWorker) => void (worker.isConnected() && worker.send(message))
  const first = new Promise<FileTexts | undefined>((resolve) => {
    worker.on('message', (message: ToWorker) => message.kind === 'serve' && resolve(message.files))
    worker.once('disconnect', () => resolve(undefined))
  })
  tell({ kind: 'ready' })
  const files = await first
  if (files === undefined) return
  let fleet: Fleet
  try {
    fleet = await start(files)
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    tell({ kind: 'not-listening', code: error.code })
    worker.disconnect()
    return
  }
  await new Promise<void>((resolve) => {
    const tellMetrics = async () => {
      for (const snapshot of await fleet.metrics()) tell({ kind: 'snapshot', snapshot })
    }
    const drain = async (deadlineMs: number) => {
      // In case this process is killed now: the primary then knows its counters and what is cut.
      await tellMetrics()
      const cut = await fleet.drain(deadlineMs)
      await tellMetrics()
      tell({ kind: 'drained', cut })
      resolve()
    }
    // One at a time, so that a small config can't overtake a large one that came before it.
    let reloads = Promise.resolve()
    worker.on('disconnect', () => void drain(0))
    worker.on('message', (message: ToWorker) => {
      switch (message.kind) {
        case 'reload':
          reloads = reloads.then(() => reload(fleet, message.files))
          return
        case 'snapshot':
          return void tellMetrics()
        case 'drain':
          return void drain(message.deadlineMs)
        case 'cut':
          return fleet.cut()
      }
    })
    tell({ kind: 'listening', url: fleet.url })
  })
  if (worker.isConnected()) worker.disconnect()
}
